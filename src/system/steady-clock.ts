// The clock for deadlines and for how long something takes: it reads like the wall clock did when the process began, and never
// jumps. The wall clock itself can be set back a day while a question waits; it is for people and for records.
export function steadyNowMs(): number {
  return Math.round(performance.timeOrigin + performance.now());
}
