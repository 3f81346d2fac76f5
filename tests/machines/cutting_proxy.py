"""A proxy that speaks TLS, and cuts the connection of a seat in every tenth match: HOST CERTIFICATE KEY THERE SEED.

It passes bytes on to http://THERE:8080. With the seed 0 it cuts nothing. It counts the cuts on its output.
"""

import asyncio
import contextlib
import random
import ssl
import sys

START = b'{"type":"start"'
EVERY = 10


class Proxy:
    """All connections."""

    def __init__(self, there: str, seed: int) -> None:
        self._there, self._luck, self._starts, self._seed = there, random.Random(seed), 0, seed

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_service, to_service = await asyncio.open_connection(self._there, 8080)
        peer = writer.get_extra_info("peername")[0]
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
            return
        to_service.write(head[:-2] + f"X-Forwarded-For: {peer}\r\nX-Forwarded-Proto: https\r\n\r\n".encode())
        up = asyncio.create_task(self._pump(reader, to_service))
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            await self._down(from_service, writer)
        up.cancel()
        writer.transport.abort()
        to_service.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                writer.write(data)
        writer.close()

    async def _down(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        left = -1  # pieces until the connection is cut
        while data := await reader.read(1 << 16):
            starts = data.count(START)
            if self._seed and self._starts // EVERY != (self._starts + starts) // EVERY:
                left = self._luck.randrange(6)
            self._starts += starts
            if left == 0:  # before or after the piece that it had
                if self._luck.random() < 0.5:
                    writer.write(data)
                print("cut", flush=True)
                return
            left -= 1
            writer.write(data)


async def main() -> None:
    host, certificate, key, there, seed = sys.argv[1:]
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    server = await asyncio.start_server(Proxy(there, int(seed)).serve, host, 8443, ssl=context)
    await server.serve_forever()


asyncio.run(main())
