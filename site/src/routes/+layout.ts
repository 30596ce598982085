// Pages are HTML, and one small script (src/enhance) does what needs a script: none of SvelteKit's runtime goes to the browser.
export const csr = false
