// Markdown of HTML that a forum made of Markdown. It is read piece by piece and nothing of it is built, so that nested elements cost no more than
// others. What has no form in Markdown keeps its text.
import { Parser } from 'htmlparser2'
import { MAX_TEXT } from './record.ts'

/** Of quotes and lists around a text; deeper ones look like the last. */
const MAX_DEPTH = 10
/** Elements that are open at a time, as the parser counts them after each piece. */
const MAX_OPEN = 1_000
const PIECE = 8 * 1024
const SILENT = new Set(['script', 'style', 'template', 'svg', 'noscript', 'iframe', 'object'])
const BLOCKS = new Set([
  'p',
  'div',
  'section',
  'article',
  'details',
  'summary',
  'aside',
  'figure',
  'dl',
  'dt',
  'dd',
  'table',
])
const MARKS: Record<string, string> = { strong: '**', b: '**', em: '*', i: '*', del: '~~', s: '~~' }
const HEADING = /^h[1-6]$/
/** What Markdown would read as its own. */
const SPECIAL = /[\\`*_[\]<]/g

export function markdownOf(html: string): string {
  const writer = new MarkdownWriter()
  const parser = new Parser(
    {
      onopentag: (name, attributes) => writer.open(name, attributes),
      onclosetag: (name) => writer.close(name),
      ontext: (text) => writer.text(text),
    },
    { decodeEntities: true },
  )
  const text = html.slice(0, 2 * MAX_TEXT)
  // The parser's own list of open elements costs more with each of them: what is nested as no text is loses its elements.
  for (let at = 0; at < text.length; at += PIECE) {
    if (writer.depth > MAX_OPEN) {
      writer.text(text.slice(at).replaceAll(/<[^<>]*>/g, ' '))
      break
    }
    parser.write(text.slice(at, at + PIECE))
  }
  parser.end()
  return writer.result()
}

interface Link {
  address: string | undefined
  at: number
}

class MarkdownWriter {
  /** Elements that are open. */
  depth = 0
  #pieces: string[] = []
  /** Line breaks before the next text. */
  #breaks = 0
  /** Begins each line within quotes and lists; the marker of a list's entry is on its first line only. */
  readonly #prefixes: { first: string; later: string; tag: string }[] = []
  readonly #lists: { next: number | undefined }[] = []
  readonly #links: Link[] = []
  #silent = 0
  /** The text of code, until its end is known; undefined outside. */
  #code: { isBlock: boolean; language: string; text: string } | undefined
  #cells = 0
  #rows = 0

  open(name: string, attributes: Record<string, string>): void {
    this.depth += 1
    if (SILENT.has(name)) this.#silent += 1
    if (this.#silent > 0) return
    if (this.#code) {
      this.#code.language ||= languageOf(attributes['class'])
      return
    }
    if (name === 'pre' || name === 'code')
      this.#code = { isBlock: name === 'pre', language: languageOf(attributes['class']), text: '' }
    else if (name === 'br') this.#write('  \n', true)
    else if (name === 'hr') this.#block('---')
    else if (name === 'img') this.#image(attributes)
    else if (name === 'a') this.#links.push({ address: addressOf(attributes), at: this.#pieces.length })
    else if (MARKS[name]) this.#write(MARKS[name])
    else if (HEADING.test(name)) this.#block(`${'#'.repeat(Number(name[1]))} `)
    else this.#openBlock(name)
  }

  close(name: string): void {
    this.depth -= 1
    if (SILENT.has(name)) this.#silent = Math.max(this.#silent - 1, 0)
    if (this.#silent > 0) return
    if (this.#code) {
      if (name === (this.#code.isBlock ? 'pre' : 'code')) this.#endCode(this.#code)
      return
    }
    if (name === 'a') this.#endLink()
    else if (MARKS[name]) this.#write(MARKS[name])
    else if (name === 'td' || name === 'th') this.#write(' |')
    else if (name === 'tr') this.#endRow()
    else if (name === 'blockquote' || name === 'li') this.#leave(name)
    else if (name === 'ul' || name === 'ol') this.#lists.pop()
    if (BLOCKS.has(name) || HEADING.test(name) || name === 'blockquote') this.#breaks = Math.max(this.#breaks, 2)
    if ((name === 'ul' || name === 'ol') && this.#lists.length === 0) this.#breaks = 2
  }

  text(text: string): void {
    if (this.#silent > 0) return
    if (this.#code) this.#code.text += text
    else {
      const collapsed = text.replaceAll(/[ \t\r\n\f]+/g, ' ').replaceAll(SPECIAL, '\\$&')
      const isStart = this.#breaks > 0 || this.#pieces.length === 0 || this.#pieces.at(-1)?.endsWith('\n')
      this.#write(isStart ? collapsed.trimStart() : collapsed)
    }
  }

  result(): string {
    if (this.#code) this.#endCode(this.#code)
    while (this.#links.length > 0) this.#endLink()
    return this.#pieces.join('').trim()
  }

  #openBlock(name: string): void {
    if (name === 'blockquote') this.#enter(name, '> ', '> ')
    else if (name === 'ul' || name === 'ol') {
      this.#lists.push({ next: name === 'ol' ? 1 : undefined })
      this.#breaks = Math.max(this.#breaks, this.#lists.length > 1 ? 1 : 2)
    } else if (name === 'li') {
      const list = this.#lists.at(-1)
      const marker = list?.next === undefined ? '- ' : `${list.next++}. `
      this.#breaks = Math.max(this.#breaks, 1)
      this.#enter(name, marker, ' '.repeat(marker.length))
    } else if (name === 'table') [this.#rows, this.#breaks] = [0, 2]
    else if (name === 'tr') [this.#cells, this.#breaks] = [0, Math.max(this.#breaks, 1)]
    else if (name === 'td' || name === 'th') {
      this.#write(this.#cells === 0 ? '| ' : ' ')
      this.#cells += 1
    } else if (BLOCKS.has(name)) this.#breaks = Math.max(this.#breaks, 2)
  }

  #enter(tag: string, first: string, later: string): void {
    if (tag === 'blockquote') this.#breaks = Math.max(this.#breaks, 2)
    // The line breaks come before the marker, with the marks of what is around.
    this.#flush()
    if (this.#prefixes.length < MAX_DEPTH) this.#prefixes.push({ first, later, tag })
    this.#pieces.push(first)
  }

  #leave(tag: string): void {
    if (this.#prefixes.at(-1)?.tag === tag) this.#prefixes.pop()
    this.#breaks = Math.max(this.#breaks, 1)
  }

  #block(text: string): void {
    this.#breaks = Math.max(this.#breaks, 2)
    this.#write(text)
    if (text === '---') this.#breaks = 2
  }

  #write(text: string, isBreak = false): void {
    if (text === '') return
    if (isBreak) this.#pieces.push(text, this.#prefix())
    else {
      this.#flush()
      this.#pieces.push(text)
    }
  }

  #prefix(): string {
    return this.#prefixes.map(({ later }) => later).join('')
  }

  #flush(): void {
    if (this.#breaks === 0) return
    if (this.#pieces.length > 0 && !this.#isAtMarker()) this.#pieces.push(this.#lineBreaks(this.#breaks))
    this.#breaks = 0
  }

  #lineBreaks(count: number): string {
    const prefix = this.#prefix()
    return `${`\n${prefix.trimEnd()}`.repeat(count - 1)}\n${prefix}`
  }

  /** Right after a marker nothing is broken: the first paragraph of a list's entry follows on the same line. */
  #isAtMarker(): boolean {
    return this.#prefixes.length > 0 && this.#pieces.at(-1) === this.#prefixes.at(-1)?.first
  }

  #image({ class: classes = '', alt = '', src = '' }: Record<string, string>): void {
    if (/\bemoji\b/.test(classes)) this.#write(alt)
    else if (isAddress(src)) this.#write(`![${alt.replaceAll(SPECIAL, '\\$&')}](${encoded(src)})`)
    else this.#write(alt.replaceAll(SPECIAL, '\\$&'))
  }

  /** A link without a text is an anchor of a heading. */
  #endLink(): void {
    const link = this.#links.pop()
    if (link?.address === undefined) return
    const text = this.#pieces.splice(link.at).join('')
    if (text.trim() === '') return
    const start = /^\s*/.exec(text)?.[0] ?? ''
    this.#pieces.push(`${start}[${text.slice(start.length)}](${encoded(link.address)})`)
  }

  #endCode({ isBlock, language, text }: { isBlock: boolean; language: string; text: string }): void {
    this.#code = undefined
    const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length).slice(0, 1_000))
    if (isBlock) {
      const fence = '`'.repeat(Math.max(longest + 1, 3))
      const lines = [`${fence}${language}`, ...text.replace(/\n$/, '').split('\n'), fence]
      this.#block(lines.join(`\n${this.#prefix()}`))
      this.#breaks = 2
    } else if (text !== '') {
      const fence = '`'.repeat(longest + 1)
      const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
      this.#write(`${fence}${space}${text.replaceAll('\n', ' ')}${space}${fence}`)
    }
  }

  #endRow(): void {
    this.#rows += 1
    if (this.#rows === 1) this.#pieces.push(`\n${this.#prefix()}${'| --- '.repeat(Math.min(this.#cells, 100))}|`)
    this.#breaks = Math.max(this.#breaks, 1)
  }
}

const languageOf = (classes = '') => /\blang(?:uage)?-([\w+#-]{1,30})/.exec(classes)?.[1] ?? ''
const isAddress = (address: string) => /^(?:https?:\/\/|\/)/i.test(address)
/** A mention is its text. */
const addressOf = ({ class: classes = '', href = '' }: Record<string, string>): string | undefined =>
  /\bmention/.test(classes) || !/^(?:https?:\/\/|\/|mailto:)/i.test(href) ? undefined : href
const encoded = (address: string) =>
  address.replaceAll(/[\s()<>\\]/g, (character) =>
    encodeURIComponent(character).replace('(', '%28').replace(')', '%29'),
  )
