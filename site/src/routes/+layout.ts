// Pages are HTML, and one small script (src/enhance) does what needs a script. A page that does more than that by itself asks for
// SvelteKit's runtime with `export const csr = true` and is loaded whole.
export const csr = false
