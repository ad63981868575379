#!/usr/bin/env python3
"""A TCP proxy that holds back every byte for a while, in both directions, without slowing the flow.

usage: tests/peer/delay_proxy.py TARGET_PORT MILLISECONDS      prints the port it listens on
"""
import asyncio
import sys


async def pipe(reader, writer, delay):
    loop, queue = asyncio.get_running_loop(), asyncio.Queue()

    async def deliver():
        while True:
            due, data = await queue.get()
            await asyncio.sleep(max(0, due - loop.time()))
            if not data:
                return writer.close()
            writer.write(data)
            await writer.drain()

    delivery = asyncio.create_task(deliver())
    try:
        while data := await reader.read(1 << 20):
            queue.put_nowait((loop.time() + delay, data))
    except ConnectionError:
        pass
    queue.put_nowait((loop.time() + delay, b""))
    await asyncio.gather(delivery, return_exceptions=True)


async def main(target, delay):
    async def serve(reader, writer):
        onward_reader, onward_writer = await asyncio.open_connection("127.0.0.1", target, limit=1 << 20)
        await asyncio.gather(pipe(reader, onward_writer, delay), pipe(onward_reader, writer, delay))

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), float(sys.argv[2]) / 1000))
