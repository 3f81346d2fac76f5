% Each line has a path and a value, such as "view.seat 1". This bot keeps only what it needs.
1;

% The index of an action, from 0 to legal - 1. Your thinking goes here.
function index = choose(seed, number, legal)
  x = mod(seed, 9973) + 7 * number;
  index = mod(mod(x * x, 9973), legal);
end

seed = number = legal = 0;
type = "";
while true
  try
    line = input("", "s"); % fgetl would wait for the line after this one
  catch
    exit(0);
  end
  [path, value] = strtok(line, " ");
  switch path
    case "type"
      type = strtrim(value);
    case "seed"
      seed = str2double(value);
    case "number"
      number = str2double(value);
    case "legal"
      legal = str2double(value);
    case "go"
      if strcmp(type, "start")
        printf("ready\n");
      else
        printf("%d\n", choose(seed, number, legal));
      end
      fflush(stdout);
  end
end
