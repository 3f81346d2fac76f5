// Command bot serves a player to the referee. This file is the loop. The thinking is in player.go. The name is in
// bot.toml.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"regexp"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "referee_bot/v1/bot"
)

const (
	protocolMinor = 2
	maxBatch      = 1024
)

type bot struct {
	pb.UnimplementedBotServer
	rule string
}

// Describe tells the referee what bot.toml says about this bot.
func (b *bot) Describe(ctx context.Context, _ *pb.DescribeRequest) (*pb.DescribeResponse, error) {
	if err := admit(ctx); err != nil {
		return nil, err
	}
	text, err := os.ReadFile("bot.toml")
	if err != nil {
		return nil, err
	}
	return &pb.DescribeResponse{
		Name:          strings.Join(manifest(text, "name"), ""),
		Version:       strings.Join(manifest(text, "version"), ""),
		Games:         manifest(text, "games"),
		ProtocolMinor: protocolMinor,
		MaxParallel:   1,
		MaxBatch:      maxBatch,
	}, nil
}

// Play plays match after match, each with a new player, until the referee closes its side.
func (b *bot) Play(stream pb.Bot_PlayServer) error {
	if err := admit(stream.Context()); err != nil {
		return err
	}
	var player *Player
	players := map[uint32]*Player{}
	for {
		message, err := stream.Recv()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch body := message.Body.(type) {
		case *pb.RefereeMessage_MatchStart:
			player = NewPlayer(body.MatchStart, b.rule)
			err = stream.Send(&pb.BotMessage{Body: &pb.BotMessage_Ready{Ready: &pb.Ready{}}})
		case *pb.RefereeMessage_Decision:
			index := player.Choose(body.Decision)
			choice := &pb.Choice{Decision: body.Decision.Number, Index: &index}
			err = stream.Send(&pb.BotMessage{Body: &pb.BotMessage_Choice{Choice: choice}})
		case *pb.RefereeMessage_Batch:
			answers := b.answers(body.Batch, players)
			if len(answers.Match) > 0 || len(answers.Ready) > 0 {
				err = stream.Send(&pb.BotMessage{Body: &pb.BotMessage_Answers{Answers: answers}})
			}
		} // nobody answers a MatchEnd
		if err != nil {
			return err
		}
	}
}

// answers returns the answers to a batch. The players are kept by the numbers of their matches, as long as these last.
func (b *bot) answers(batch *pb.Batch, players map[uint32]*Player) *pb.Answers {
	answers := &pb.Answers{}
	for _, part := range batch.Parts {
		switch body := part.Body.(type) {
		case *pb.Part_MatchStart:
			players[part.Match] = NewPlayer(body.MatchStart, b.rule)
			answers.Ready = append(answers.Ready, part.Match)
		case *pb.Part_Decision:
			answers.Match = append(answers.Match, part.Match)
			answers.Decision = append(answers.Decision, body.Decision.Number)
			answers.Index = append(answers.Index, players[part.Match].Choose(body.Decision))
		case *pb.Part_MatchEnd:
			delete(players, part.Match)
		}
	}
	return answers
}

// admit refuses a caller without our token. If REFEREE_TOKEN is not set, everybody may call. If it is empty, nobody may.
func admit(ctx context.Context) error {
	token, isSet := os.LookupEnv("REFEREE_TOKEN")
	if !isSet {
		return nil
	}
	headers, _ := metadata.FromIncomingContext(ctx)
	for _, given := range headers.Get("authorization") {
		if token != "" && given == "Bearer "+token {
			return nil
		}
	}
	return status.Error(codes.Unauthenticated, "wrong token, or none")
}

// manifest returns the strings in double quotes after `key =` in bot.toml, from one string or a list.
func manifest(text []byte, key string) []string {
	entry := regexp.MustCompile(`(?m)^` + key + `\s*=\s*("[^"]*"|\[[^\]]*\])`)
	var values []string
	for _, quoted := range regexp.MustCompile(`"[^"]*"`).FindAll(entry.Find(text), -1) {
		values = append(values, strings.Trim(string(quoted), `"`))
	}
	return values
}

// listen opens an address such as unix:/path/to/socket or 127.0.0.1:PORT.
func listen(address string) (net.Listener, error) {
	if strings.HasPrefix(address, "unix:") {
		path := strings.TrimPrefix(address, "unix:")
		os.Remove(path) // a bot that was killed left its socket there
		return net.Listen("unix", path)
	}
	return net.Listen("tcp", address)
}

// The bot does not handle SIGTERM, so it ends the process at once.
func main() {
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: bot [--rule fnv|greedy] [ADDRESS], or ADDRESS in REFEREE_ADDRESS")
	}
	rule := flag.String("rule", "fnv", "")
	flag.Parse()
	address := flag.Arg(0)
	if address == "" {
		address = os.Getenv("REFEREE_ADDRESS")
	}
	if address == "" || *rule != "fnv" && *rule != "greedy" {
		flag.Usage()
		os.Exit(2)
	}
	listener, err := listen(address)
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	pb.RegisterBotServer(server, &bot{rule: *rule})
	log.Fatal(server.Serve(listener))
}
