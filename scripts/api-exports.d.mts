export function readExports(file: string): { name: string; comment: string; code: string }[];
