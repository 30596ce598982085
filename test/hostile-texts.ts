// Texts that parsers, databases and pages have tripped over, each by what it is. Used wherever every field is tried.

/** What a text may be: all of it can be stored, but for `broken` ones, which no database keeps. */
export const hostileTexts: Readonly<Record<string, string>> = {
  NUL: 'a\u0000b',
  'a lone surrogate': 'a\ud800b',
  'one megabyte': 'm'.repeat(1_000_000),
  'text from right to left': '\u202eetirw\u202c \u2066x\u2069',
  'no width': 'a\u200bb\u200d\ufeff\u00ad',
  HTML: '<img src=x onerror=globalThis.ran=1><script>globalThis.ran=2</script>',
  'an attribute that ends': '"\' onfocus=globalThis.ran=3 autofocus x="',
  'parts of paths': '../../../etc/passwd',
  'parts of paths, packed': '..%2f..%5c%2e%2e/',
  'format strings': `%s%n%x {0} ${'$'}{7*7} {{7*7}} #{7*7} %1$s`,
  SQL: `'; drop table "user"; -- ' or '1'='1`,
  'wildcards of SQL': '%_\\%',
  Markdown: '[x](javascript:globalThis.ran=4) ![y](data:text/html,z) <b>*_`',
  'one long word': 'w'.repeat(90),
  emoji: '👩‍👩‍👧‍👦🏳️‍🌈é\u0301\u0301\u0301',
  'names of JavaScript': '__proto__',
  'other names of JavaScript': 'constructor',
  'control characters': 'a\u0001\u0008\u000b\u001f\u007f\u0085\ufffe\uffff',
  'lines of a header': 'a\r\nSet-Cookie: planted=1',
  'numbers that are none': '1e999',
  'an address': '//evil.example/@x',
}

/** No database keeps these: they are refused wherever text is taken. */
export const broken: ReadonlySet<string> = new Set(['NUL', 'a lone surrogate'])

/** What a request line has room for: Node refuses longer heads before Guildhall sees them. */
const LONGEST_IN_ADDRESS = 12_000

/** As it travels in a path or a query: a lone surrogate has no encoding of its own. */
export function inPath(given: string): string {
  const text = given.slice(0, LONGEST_IN_ADDRESS)
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : encodeURIComponent(text.toWellFormed()).replaceAll('%EF%BF%BD', '%ED%A0%80')
}
