"""Calls to bots: gRPC over a connection. The rest of the program sees only a `Channel`.

Our own client (`http2_channel`) calls bots on this machine that listen on a unix socket. It costs half as much a
decision. grpc.aio (`grpc_channel`) calls all others, and does TLS. A player in this process needs no call at all.
"""

from referee.runtime.bot_address import Peer
from referee.runtime.channels.channel import Channel
from referee.runtime.channels.http2_channel import Http2Channel, is_light


def channel_to(peer: Peer) -> Channel:
    """A channel to a bot. Nothing is called yet."""
    if peer.door is not None:
        return peer.door()
    if is_light(peer):
        return Http2Channel(peer)
    # Only here: it takes a tenth of a second, and most workers need none.
    from referee.runtime.channels.grpc_channel import GrpcChannel  # noqa: PLC0415

    return GrpcChannel(peer)
