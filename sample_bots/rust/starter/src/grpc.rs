//! As much of gRPC as a bot needs, over HTTP/2.
//!
//! A call is a request, messages both ways, and a status in the trailers. Before each message comes
//! one byte that says whether it is compressed, and its length in four bytes. DATA frames carry all
//! this, and may cut it anywhere.

use std::future::Future;

use bytes::{Buf, BufMut, Bytes, BytesMut};
use h2::server::{Builder, SendResponse};
use h2::{RecvStream, SendStream};
use http::{HeaderMap, HeaderValue, Request, Response};
use prost::Message;
use tokio::io::{AsyncRead, AsyncWrite};

const PREFIX: usize = 5;
const LARGEST: usize = 4 << 20;

/// How a call ends: a gRPC code, and a text for people.
pub struct Status(u32, &'static str);

pub const OK: Status = Status(0, "");
pub const UNIMPLEMENTED: Status = Status(12, "there is no such method");
pub const UNAUTHENTICATED: Status = Status(16, "the token is wrong or missing");
const COMPRESSED: Status = Status(12, "compressed messages are not understood");
const TOO_LARGE: Status = Status(8, "a message over 4 MiB");
const GARBAGE: Status = Status(13, "bytes that are no such message");
const LOST: Status = Status(14, "the connection is lost");

impl From<h2::Error> for Status {
    fn from(_: h2::Error) -> Self {
        LOST
    }
}

impl From<prost::DecodeError> for Status {
    fn from(_: prost::DecodeError) -> Self {
        GARBAGE
    }
}

/// Lets `answer` answer every call on a connection, until the caller closes it.
pub async fn serve<C, A, F>(connection: C, answer: A) -> Result<(), h2::Error>
where
    C: AsyncRead + AsyncWrite + Unpin,
    A: Fn(Call) -> F,
    F: Future<Output = ()> + Send + 'static,
{
    let mut calls = Builder::new()
        .initial_window_size(LARGEST as u32)
        .initial_connection_window_size(LARGEST as u32)
        .handshake(connection)
        .await?;
    while let Some(call) = calls.accept().await {
        let (request, response) = call?;
        // The caller may give up a call before it is answered.
        if let Ok(call) = Call::new(request, response) {
            tokio::spawn(answer(call));
        }
    }
    Ok(())
}

/// One call.
pub struct Call {
    request: Request<RecvStream>,
    unread: BytesMut,
    answers: SendStream<Bytes>,
}

impl Call {
    fn new(
        request: Request<RecvStream>,
        mut response: SendResponse<Bytes>,
    ) -> Result<Self, h2::Error> {
        let head = Response::builder()
            .header("content-type", "application/grpc")
            .body(())
            .unwrap();
        Ok(Call {
            request,
            unread: BytesMut::new(),
            answers: response.send_response(head, false)?,
        })
    }

    /// The method that is called: `/package.Service/Method`.
    pub fn method(&self) -> &str {
        self.request.uri().path()
    }

    /// A header that the caller sent with the call.
    pub fn metadata(&self, key: &str) -> Option<&HeaderValue> {
        self.request.headers().get(key)
    }

    /// The next message. None if the caller has closed its side.
    pub async fn receive<M: Message + Default>(&mut self) -> Result<Option<M>, Status> {
        loop {
            if let Some(message) = self.take_message()? {
                return Ok(Some(M::decode(message)?));
            }
            match self.next_data().await? {
                Some(data) => self.unread.extend_from_slice(&data),
                None if self.unread.is_empty() => return Ok(None),
                None => return Err(GARBAGE),
            }
        }
    }

    async fn next_data(&mut self) -> Result<Option<Bytes>, h2::Error> {
        let body = self.request.body_mut();
        let data = body.data().await.transpose()?;
        if let Some(data) = &data {
            // Allows the caller to send that much more.
            body.flow_control().release_capacity(data.len())?;
        }
        Ok(data)
    }

    fn take_message(&mut self) -> Result<Option<BytesMut>, Status> {
        if self.unread.len() < PREFIX {
            return Ok(None);
        }
        let mut prefix = &self.unread[..PREFIX];
        let compressed = prefix.get_u8() != 0;
        let length = prefix.get_u32() as usize;
        if compressed {
            return Err(COMPRESSED);
        }
        if length > LARGEST {
            return Err(TOO_LARGE);
        }
        if self.unread.len() < PREFIX + length {
            return Ok(None);
        }
        self.unread.advance(PREFIX);
        Ok(Some(self.unread.split_to(length)))
    }

    /// Sends a message. h2 keeps it until the caller's window has room. A bot sends few answers.
    pub fn send(&mut self, message: &impl Message) -> Result<(), Status> {
        let mut data = BytesMut::with_capacity(PREFIX + message.encoded_len());
        data.put_u8(0);
        data.put_u32(message.encoded_len() as u32);
        message.encode(&mut data).expect("there is room for it");
        Ok(self.answers.send_data(data.freeze(), false)?)
    }

    /// Ends the call, and then reads what the caller still sends. Otherwise h2 would cancel the
    /// call, and the status might not get through.
    pub async fn end(mut self, status: Status) {
        let mut trailers = HeaderMap::new();
        trailers.insert("grpc-status", status.0.into());
        trailers.insert("grpc-message", HeaderValue::from_static(status.1));
        if self.answers.send_trailers(trailers).is_ok() {
            while let Ok(Some(_)) = self.next_data().await {}
        }
    }
}
