// Package palaver asks the user from Go: write an agent for Palaver (Serve), or ask through its daemon (Daemon). It uses the
// standard library only. An agent reads and writes JSON lines; this package keeps the protocol, and the author works on prompts:
//
//	palaver.Serve("hello", func(turn *palaver.Turn) error {
//		colour, err := turn.Select("Which colour?", []string{"red", "green"})
//		if err != nil {
//			return err
//		}
//		return turn.Say(colour + " it is.")
//	})
package palaver

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Object is any JSON object.
type Object = map[string]any

// ErrAborted ends the turn: the user stopped it. Return it from your function; it is not reported as an error.
var ErrAborted = errors.New("the user stopped the turn")

// ErrCancelled says that the user closed a question without an answer.
var ErrCancelled = errors.New("cancelled by the user")

// AskError says that no one answered: the time passed, the front end is gone, or it reported an error.
type AskError struct{ Reason string }

func (e *AskError) Error() string { return e.Reason }

const lineBytesMax = 32 << 20
const toolOutputBytesMax = 64 << 10

// Turn is one prompt at work. Its calls return ErrAborted after the user has stopped it.
type Turn struct {
	Asker
	// Text is what the user wrote.
	Text string

	agent    *agent
	answers  chan Object
	aborted  chan struct{}
	stopOnce sync.Once
	asked    string
	said     string
	isOpen   bool
	sent     int
	messages []Object
}

// Aborted is closed when the user stops the turn.
func (t *Turn) Aborted() <-chan struct{} { return t.aborted }

// Say adds to the open message; a question or a tool call ends it.
func (t *Turn) Say(text string) error {
	if err := t.check(); err != nil {
		return err
	}
	if !t.isOpen {
		t.isOpen, t.said, t.sent = true, "", 0
		t.agent.event(Object{"type": "message_start", "message": message("")})
	}
	t.said += text
	if t.agent.has("message_deltas") {
		t.agent.event(Object{"type": "message_delta", "index": 0, "kind": "text", "delta": text})
	} else if t.sent+len(t.said) <= 4096+8*len(t.said) { // The whole message for every token would cost its square.
		t.sent += len(t.said)
		t.agent.event(Object{"type": "message_update", "message": message(t.said)})
	}
	return nil
}

// Notify shows a notice that needs no answer: level is info, warn, error or success.
func (t *Turn) Notify(level, text string) {
	t.agent.send(Object{"type": "ui_notify", "session_id": "main", "params": Object{"message": text, "level": level}})
}

// Tool is a tool call that was reported as begun.
type Tool struct {
	ID, Name string
	args     any
	output   string
	turn     *Turn
}

// Tool reports that a tool call began.
func (t *Turn) Tool(name string, args any) (*Tool, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	t.close()
	tool := &Tool{ID: fmt.Sprintf("c%d", t.agent.number(&t.agent.calls)), Name: name, args: args, turn: t}
	t.agent.event(Object{"type": "tool_execution_start", "tool_call_id": tool.ID, "tool": name, "arguments": args})
	return tool, nil
}

// Output adds to what the tool has printed so far.
func (c *Tool) Output(text string) {
	c.output += text
	if over := len(c.output) - toolOutputBytesMax; over > 0 {
		c.output = strings.ToValidUTF8(c.output[over:], "")
	}
	c.turn.agent.event(Object{"type": "tool_execution_update", "tool_call_id": c.ID, "tool": c.Name, "arguments": c.args, "output": c.output})
}

// End reports the result of the call; a failed call has an error, whose text is the output.
func (c *Tool) End(text string, failed error) {
	if failed != nil {
		text = failed.Error()
	}
	output := Object{"content": []Object{{"type": "text", "text": text}}}
	c.turn.agent.event(Object{"type": "tool_execution_end", "tool_call_id": c.ID, "tool": c.Name, "output": output, "is_error": failed != nil})
}

func (t *Turn) ask(method string, params Object, timeout time.Duration) (any, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	t.close()
	id := fmt.Sprintf("q%d", t.agent.number(&t.agent.questions))
	frame := Object{"type": "ui_request", "id": id, "method": method, "params": params, "session_id": "main"}
	var expired <-chan time.Time
	if timeout > 0 {
		frame["timeout_ms"] = timeout.Milliseconds()
		expired = time.After(timeout)
	}
	t.agent.setAsked(t, id)
	defer t.agent.setAsked(t, "")
	t.agent.send(frame)
	select {
	case <-t.aborted:
		t.agent.send(Object{"type": "ui_cancel", "id": id, "reason": "aborted"})
		return nil, ErrAborted
	case <-expired:
		t.agent.send(Object{"type": "ui_cancel", "id": id, "reason": "timeout"})
		return nil, &AskError{"timeout"}
	case response := <-t.answers:
		if reason := response["error"]; reason != nil {
			return nil, &AskError{fmt.Sprint(reason)}
		}
		return response["result"], nil
	}
}

func (t *Turn) check() error {
	select {
	case <-t.aborted:
		return ErrAborted
	default:
		return nil
	}
}

func (t *Turn) close() {
	if t.isOpen {
		t.isOpen = false
		t.messages = append(t.messages, message(t.said))
		t.agent.event(Object{"type": "message_end", "message": message(t.said)})
	}
}

func message(text string) Object {
	return Object{"role": "assistant", "content": []Object{{"type": "text", "text": text}}}
}

type agent struct {
	name     string
	onPrompt func(*Turn) error
	output   io.Writer

	lock                     sync.Mutex // Guards everything below, and the order of frames.
	turn                     *Turn
	running                  sync.WaitGroup
	capabilities             Object
	events, questions, calls int
}

// Serve runs an agent until quit or the end of its input. Standard output belongs to the protocol; print to os.Stderr.
func Serve(name string, onPrompt func(*Turn) error) error {
	return serve(name, onPrompt, os.Stdin, os.Stdout)
}

func serve(name string, onPrompt func(*Turn) error, input io.Reader, output io.Writer) error {
	a := &agent{name: name, onPrompt: onPrompt, output: output}
	folder, _ := os.Getwd()
	a.send(Object{"type": "ready", "protocol_version": "2", "ui": true, "cwd": folder, "active_session_id": "main"})
	lines := bufio.NewReaderSize(input, 64<<10)
	for {
		line, isLong, err := readLine(lines)
		if isLong {
			a.refuse(-32010, "the line is over the limit")
		} else if text := strings.TrimSpace(line); text != "" && !a.obey(text) {
			break
		}
		if err != nil {
			break
		}
	}
	a.abort()
	a.running.Wait()
	return nil
}

func readLine(lines *bufio.Reader) (line string, isLong bool, err error) {
	var whole []byte
	for {
		part, err := lines.ReadSlice('\n')
		if len(whole)+len(part) > lineBytesMax {
			isLong, whole = true, nil
		}
		if !isLong {
			whole = append(whole, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return string(whole), isLong, err
		}
	}
}

// obey returns false on quit.
func (a *agent) obey(line string) bool {
	command := Object{"type": "prompt", "text": line}
	if strings.ContainsAny(line[:1], "{[") || line == "null" || strings.Contains(line, "\x00") || !utf8.ValidString(line) {
		command = nil
		if err := json.Unmarshal([]byte(line), &command); err != nil {
			a.refuse(-32700, "not valid JSON: "+err.Error())
			return true
		}
	}
	switch kind, _ := command["type"].(string); kind {
	case "":
		a.refuse(-32600, `a command is an object with a "type"`)
	case "quit":
		return false
	case "ping":
		a.send(Object{"type": "pong"})
	case "initialize":
		capabilities, _ := command["ui_capabilities"].(Object)
		a.lock.Lock()
		a.capabilities = capabilities
		a.lock.Unlock()
		able := Object{"supports_message_deltas": true, "supports_reset": false, "supports_stats": false, "supports_debug": false}
		a.send(Object{"type": "initialized", "protocol_version": "2", "server": Object{"name": a.name}, "server_capabilities": able})
	case "abort":
		a.abort()
	case "ui_response":
		a.answer(command)
	case "prompt":
		a.prompt(command)
	default:
		a.refuse(-32601, "unknown command: "+kind)
	}
	return true
}

func (a *agent) prompt(command Object) {
	text, isText := command["text"].(string)
	if !isText {
		a.refuse(-32602, "prompt: text: must be a string")
		return
	}
	a.lock.Lock()
	isBusy := a.turn != nil
	turn := &Turn{Text: text, agent: a, answers: make(chan Object, 1), aborted: make(chan struct{}), messages: []Object{}}
	turn.Asker = Asker{carry: turn.ask, hasPermission: a.capabilities["supports_permission"] == true}
	if !isBusy {
		a.turn = turn
		a.running.Add(1)
	}
	a.lock.Unlock()
	if isBusy {
		a.refuse(-32022, "a turn is running; abort it first")
		return
	}
	go a.work(turn)
}

func (a *agent) work(turn *Turn) {
	defer a.running.Done()
	a.event(Object{"type": "agent_start"})
	if err := a.call(turn); err != nil && !errors.Is(err, ErrAborted) && turn.check() == nil {
		a.event(Object{"type": "error", "message": err.Error()})
	}
	turn.close()
	a.lock.Lock()
	defer a.lock.Unlock()
	a.turn = nil // With the lock held, so that the next agent_start comes after this agent_end.
	a.writeEvent(Object{"type": "agent_end", "messages": turn.messages})
}

// call keeps a panic of the author's function inside its turn.
func (a *agent) call(turn *Turn) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	return a.onPrompt(turn)
}

func (a *agent) abort() {
	a.lock.Lock()
	turn := a.turn
	a.lock.Unlock()
	if turn != nil {
		turn.stopOnce.Do(func() { close(turn.aborted) })
	}
}

func (a *agent) answer(response Object) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if a.turn != nil && a.turn.asked != "" && a.turn.asked == response["id"] {
		a.turn.asked = ""
		a.turn.answers <- response
	}
}

func (a *agent) setAsked(turn *Turn, id string) {
	a.lock.Lock()
	defer a.lock.Unlock()
	turn.asked = id
	select { // An answer that crossed a timeout is dropped.
	case <-turn.answers:
	default:
	}
}

func (a *agent) has(capability string) bool {
	a.lock.Lock()
	defer a.lock.Unlock()
	return a.capabilities["supports_"+capability] == true
}

func (a *agent) number(counter *int) int {
	a.lock.Lock()
	defer a.lock.Unlock()
	*counter++
	return *counter
}

func (a *agent) refuse(code int, words string) {
	a.send(Object{"type": "error", "code": code, "message": words})
}

func (a *agent) event(event Object) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.writeEvent(event)
}

func (a *agent) writeEvent(event Object) {
	a.write(Object{"type": "event", "session_id": "main", "event_seq": a.events, "event": event})
	a.events++
}

func (a *agent) send(frame Object) {
	a.lock.Lock()
	defer a.lock.Unlock()
	a.write(frame)
}

func (a *agent) write(frame Object) {
	line, err := json.Marshal(frame)
	if err != nil {
		line, _ = json.Marshal(Object{"type": "error", "message": err.Error()})
	}
	_, _ = a.output.Write(append(line, '\n'))
}
