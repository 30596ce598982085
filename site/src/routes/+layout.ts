// Pages are HTML with one small script (src/enhance). SvelteKit's runtime does not go to the browser.
export const csr = false
