// The one idea of this small project, apart from its program so that a test can reach it.

export function greet(name: string): string {
  return `Hello ${name}!`;
}
