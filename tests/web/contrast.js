// Two screenshots, with type and without, where the texts lie (type.js), and by matrices what eyes make of red, green and
// blue. Returns of each text, for each of the eyes, the least contrast with what is behind it, by WCAG; null if nothing of the
// text can be seen.
async ([withType, without, texts, scale, eyes]) => {
  const pixels = async (png) => {
    const image = await createImageBitmap(await (await fetch("data:image/png;base64," + png)).blob());
    const pen = new OffscreenCanvas(image.width, image.height).getContext("2d", { willReadFrequently: true });
    pen.drawImage(image, 0, 0);
    const { data, width, height } = pen.getImageData(0, 0, image.width, image.height);
    return { all: new Uint32Array(data.buffer), width, height };
  };
  const [inked, bare] = [await pixels(withType), await pixels(without)];
  const light = (colour, matrix) => {
    const parts = [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255].map((it) => it / 255);
    const linear = parts.map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4));
    const [r, g, b] = matrix.map((row) => Math.min(1, Math.max(0, row.reduce((sum, it, at) => sum + it * linear[at], 0))));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other, matrix) => {
    const [low, high] = [light(one, matrix), light(other, matrix)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const counted = (colours) => {
    const count = new Map();
    for (const colour of colours) count.set(colour, (count.get(colour) ?? 0) + 1);
    return count;
  };
  // The edges of letters are mixed with the ground. So the ink is the commonest colour of those that were not there
  // before, and what lies behind are the colours that were where it is now. A few pixels are the edge of some shape.
  const least = (lines) => {
    const there = [];
    for (const { left, top, right, bottom } of lines) {
      for (let y = Math.floor(top * scale); y < Math.min(inked.height, bottom * scale); y += 1) {
        for (let x = Math.floor(left * scale); x < Math.min(inked.width, right * scale); x += 1) {
          const at = y * inked.width + x;
          if (inked.all[at] !== bare.all[at]) there.push(at);
        }
      }
    }
    if (!there.length) return null;
    const ink = [...counted(there.map((at) => inked.all[at]))].sort((a, b) => b[1] - a[1])[0][0];
    const behind = counted(there.filter((at) => inked.all[at] === ink).map((at) => bare.all[at]));
    const all = [...behind.values()].reduce((sum, it) => sum + it, 0);
    const ground = [...behind.keys()].filter((colour) => behind.get(colour) > all / 20);
    return eyes.map((matrix) => Math.min(...ground.map((colour) => contrast(ink, colour, matrix))));
  };
  return texts.map(({ words, lines }) => [words, least(lines)]);
}
