package palaver

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// NewDaemon asks the users of a daemon; `palaver serve --json` prints both arguments. An open question ends with this process.
func NewDaemon(address, tokenFile string) *Asker {
	d := daemon{address: strings.TrimSuffix(address, "/"), tokenFile: tokenFile}
	return &Asker{carry: d.ask}
}

type daemon struct{ address, tokenFile string }

func (d daemon) ask(method string, params Object, timeout time.Duration) (any, error) {
	token, err := os.ReadFile(d.tokenFile)
	if err != nil {
		return nil, err
	}
	secret := strings.TrimSpace(string(token))
	if err := d.prove(secret); err != nil {
		return nil, err
	}
	posted := Object{"question": Object{"kind": method, "params": params}, "origin": Object{"kind": "tool", "name": "go"}}
	if timeout > 0 {
		posted["timeout_ms"] = timeout.Milliseconds()
	}
	body, err := json.Marshal(posted)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest("POST", d.address+"/asks", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+secret)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		words, _ := io.ReadAll(io.LimitReader(response.Body, 4096))
		return nil, &AskError{string(words)}
	}
	return settled(response.Body)
}

// A port outlives its daemon: whatever listens there now must know the token before it is sent.
func (d daemon) prove(token string) error {
	host, err := url.Parse(d.address)
	if err != nil {
		return err
	}
	random := make([]byte, 32)
	if _, err := rand.Read(random); err != nil {
		return err
	}
	nonce := hex.EncodeToString(random)
	client := http.Client{Timeout: 10 * time.Second}
	response, err := client.Get(d.address + "/prove?nonce=" + nonce)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	var claims struct {
		Program, Version, Proof string
		Pid                     int
	}
	if err := json.NewDecoder(response.Body).Decode(&claims); err != nil {
		return err
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	proved := []any{"palaver daemon proof", nonce, strings.ToLower(host.Host), claims.Program, claims.Version, claims.Pid}
	if err := encoder.Encode(proved); err != nil {
		return err
	}
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write(bytes.TrimSuffix(text.Bytes(), []byte("\n")))
	if !hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(claims.Proof)) {
		return &AskError{fmt.Sprintf("what listens at %s is not the daemon", host.Host)}
	}
	return nil
}

func settled(stream io.Reader) (any, error) {
	lines := bufio.NewReader(stream)
	event := ""
	for {
		line, err := lines.ReadString('\n')
		name, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ": ")
		if name == "event" {
			event = value
		} else if name == "data" && event == "settled" {
			var outcome struct {
				Kind  string
				Value any
			}
			if err := json.Unmarshal([]byte(value), &outcome); err != nil {
				return nil, err
			}
			switch outcome.Kind {
			case "answered", "cancelled":
				return outcome.Value, nil
			case "expired":
				return nil, &AskError{"timeout"}
			default:
				return nil, &AskError{outcome.Kind}
			}
		}
		if err != nil {
			return nil, &AskError{"the daemon is gone"}
		}
	}
}
