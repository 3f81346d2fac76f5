"""Which client calls a bot."""

import asyncio
import subprocess
import sys

import pytest

from referee.runtime.bot_address import Authorities, Peer
from referee.runtime.channels import channel_to
from referee.runtime.channels.channel import Channel
from referee.runtime.channels.grpc_channel import GrpcChannel
from referee.runtime.channels.http2_channel import Http2Channel


@pytest.mark.parametrize(
    ("peer", "kind"),
    [
        (Peer("unix:/somewhere"), Http2Channel),
        (Peer("127.0.0.1:5000"), GrpcChannel),
        (Peer("example.org:5000", tls=Authorities()), GrpcChannel),
    ],
)
def test_only_a_bot_on_a_unix_socket_is_called_by_our_own_client(peer: Peer, kind: type[Channel]) -> None:
    async def run() -> None:
        channel = channel_to(peer)
        assert isinstance(channel, kind)
        await channel.close()

    asyncio.run(run())


def test_who_calls_only_bots_on_unix_sockets_does_not_wait_for_grpc() -> None:
    code = "import referee.runtime.table, tournaments.play.workers.worker, sys; sys.exit('grpc' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
