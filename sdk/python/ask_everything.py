# An agent with palaver.py: it asks one question of every kind and tells what it got. Try it:
#   palaver conform -- python3 sdk/python/ask_everything.py
import palaver


def on_prompt(turn: palaver.Turn) -> None:
    turn.working("thinking of questions")
    turn.status("questions", "7")
    turn.widget("plan", ["1 ask", "2 tell"])
    turn.think("One of every kind.")
    turn.say("Let me ask you. ")
    turn.say(f"Colour: {turn.select('Which colour?', ['red', 'green'])}. ")
    turn.say(f"Sure: {turn.confirm('Are you sure?')}. ")
    turn.say(f"Name: {turn.input('Your name?', placeholder='Ada')}. ")
    turn.say(f"Story: {turn.editor('Your story?', 'Once upon a time')}. ")
    turn.say(f"Service: {turn.form('A service', {'port': {'kind': 'number', 'default': 80}})}. ")
    turn.say(f"Files: {turn.files('Which files?', multiple=True)}. ")
    turn.say(f"Painted: {turn.permission('paint', path='wall', remember=True).ok}")
    turn.working(None)
    turn.usage = {"input": 120, "output": 40}


palaver.serve("ask-everything", on_prompt)
