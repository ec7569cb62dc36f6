// Constants that the build and the test runner put in place of these names.
declare const PALAVER_VERSION: string;
