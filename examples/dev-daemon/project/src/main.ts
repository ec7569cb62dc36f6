// The program that the dev daemon rebuilds and serves; it says what it was built for.
import { greet } from "./greet.js";

declare const MODE: string;

console.log(greet(`world, built for ${MODE}`));
