// Pages as text. Whatever is put into a page is escaped, unless it is a piece of a page itself.

export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character]!)

type Piece = Html | string | number | undefined | false | readonly Html[]

function render(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (Array.isArray(piece)) return piece.map((one: Html) => one.text).join('')
  return escaped(String(piece))
}

export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.reduce((text, string, index) => text + render(pieces[index - 1]) + string))
}
