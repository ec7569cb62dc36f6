// The types of protocol-page.mjs, for the test that calls it.
export function protocolPage(page: string, contract: object): string;
