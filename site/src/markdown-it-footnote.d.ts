// The plugin has no types of its own.
declare module 'markdown-it-footnote' {
  const footnotes: (parser: object) => void
  export default footnotes
}
