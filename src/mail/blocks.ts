// The words of a mail as blocks of HTML: paragraphs, lists, codes, quotations, links of titles and one button. Only addresses of this server are
// links, and what members wrote stays text.
import { html } from 'hono/html'
import type { MailWords } from './words.ts'

export type Html = ReturnType<typeof html>

const styles = {
  paragraph: 'margin:0 0 16px',
  code: 'margin:0 0 16px;padding:14px;background:#f3ece3;color:#241f1b;border-radius:8px;text-align:center;font:600 28px/1.3 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px',
  quote: 'margin:4px 0 12px;padding:2px 0 2px 12px;border-left:3px solid #d8cdbf;color:#5b5148',
  list: 'margin:0 0 16px;padding-left:22px',
  end: 'margin:24px 0 16px;padding-top:14px;border-top:1px solid #e4ddd4;color:#6a5f55;font-size:13px',
  // Borders in the place of a padding, which some programs leave out.
  button:
    'display:inline-block;border-style:solid;border-width:10px 20px;border-radius:6px;font-weight:600;line-height:1.35;text-decoration:none',
}

const CODE = /^\d{6}$/
/** A sentence that ends with a title: `bob commented: "Crash" (#12)`. No title has a quotation mark of its own (words.ts). */
const TITLED = /^(?<before>.*["“„«])(?<title>[^"“-‟«»]+)(?<end>["”“»](?: \(#\d+\))?)$/

export interface Colours {
  accent: string
  onAccent: string
}

export interface Page extends Colours {
  baseUrl: string
  t: MailWords
}

interface Address {
  label: string | undefined
  address: string
}

/** What a line links to that is an address of this server alone, or `Label: address`; undefined for other lines. */
function addressIn(line: string | undefined, baseUrl: string): Address | undefined {
  const { label, address } = /^(?:(?<label>[^:]{1,60}): )?(?<address>\S+)$/.exec(line ?? '')?.groups ?? {}
  return address?.startsWith(`${baseUrl}/`) ? { label, address } : undefined
}

const isList = (lines: readonly string[]) => lines.every((line) => line.startsWith('- '))
const isCode = (lines: readonly string[]) => lines.length === 1 && CODE.test(lines[0] ?? '')
/** The last lines of a mail that comes by itself: where it is ended. */
const isEnd = (lines: readonly string[], { baseUrl }: Page) =>
  lines.length > 1 && lines.every((line) => addressIn(line, baseUrl)?.label !== undefined)

/** The one thing to do: the only address that is a paragraph of its own with a label, else the only one at the end of a paragraph. */
function buttonIn(paragraphs: readonly (readonly string[])[], { baseUrl }: Page): Address | undefined {
  const found = paragraphs.flatMap((lines) => {
    const address = addressIn(lines.at(-1), baseUrl)
    const isButton = address && (address.label === undefined || lines.length === 1)
    return isButton ? [address] : []
  })
  const [labelled, plain] = [found.filter(({ label }) => label), found.filter(({ label }) => !label)]
  const [only] = labelled.length === 1 ? labelled : labelled.length === 0 && plain.length === 1 ? plain : []
  return only
}

/** All blocks, below a heading that the first line need not repeat. */
export function blocksOf(text: string, heading: string, page: Page): Html[] {
  const paragraphs = text.split(/\n{2,}/).map((paragraph) => paragraph.split('\n'))
  const button = buttonIn(paragraphs, page)
  return paragraphs.map((lines, index) => {
    const isRepeated = index === 0 && lines.length > 1 && lines[0] === heading
    return blockOf(isRepeated ? lines.slice(1) : lines, page, button?.address)
  })
}

function blockOf(lines: readonly string[], page: Page, button: string | undefined): Html {
  if (isCode(lines)) return html`<p class="code" style="${styles.code}">${lines[0]}</p>\n`
  if (isList(lines)) {
    return html`<ul style="${styles.list}">${lines.map((line) => html`<li>${linked(line.slice(2), page)}</li>`)}</ul>\n`
  }
  if (isEnd(lines, page)) return html`<p class="end" style="${styles.end}">${broken(lines.map(inPage(page)))}</p>\n`
  const last = addressIn(lines.at(-1), page.baseUrl)
  const isButton = last !== undefined && last.address === button
  const titled = last && !last.label && lines.length > 1 ? titledBy(lines[0] ?? '', last.address, page) : undefined
  const rest = lines.slice(titled ? 1 : 0, isButton || titled ? -1 : undefined)
  return html`${wordsOf(rest, page, titled)}${isButton ? buttonTo(last, page) : ''}`
}

/** Lines of a paragraph, with those of others as a quotation. */
function wordsOf(lines: readonly string[], page: Page, first?: Html): Html {
  const quoted = lines.filter((line) => line.startsWith('> '))
  if (quoted.length === 0) return paragraphOf(lines, page, first)
  const at = lines.findIndex((line) => line.startsWith('> '))
  return html`${paragraphOf(lines.slice(0, at), page, first)}<blockquote class="quote" dir="auto" style="${styles.quote}">${broken(quoted.map((line) => line.slice(2)))}</blockquote>
${paragraphOf(lines.slice(at + quoted.length), page)}`
}

function paragraphOf(lines: readonly string[], page: Page, first?: Html): Html {
  const shown = [...(first ? [first] : []), ...lines.map(inPage(page))]
  return shown.length === 0 ? html`` : html`<p dir="auto" style="${styles.paragraph}">${broken(shown)}</p>\n`
}

/** A sentence whose title is the link; undefined for one that ends with none. */
function titledBy(line: string, address: string, page: Page): Html | undefined {
  const { before, title, end } = TITLED.exec(line)?.groups ?? {}
  return title === undefined ? undefined : html`${before}${linkTo(address, title, page)}${end}`
}

const openLabel = ({ baseUrl, t }: Page) => t('mails.html.open', { host: new URL(baseUrl).host })

const buttonTo = ({ label, address }: Address, page: Page): Html =>
  html`<p style="${styles.paragraph}"><a class="button" href="${address}" style="${styles.button};border-color:${page.accent};background:${page.accent};color:${page.onAccent}">${label ?? openLabel(page)}</a></p>\n`

const linkTo = (url: string, text: string, { accent }: Page): Html =>
  html`<a href="${url}" style="color:${accent}">${text}</a>`

const broken = (lines: readonly (string | Html)[]): Html[] =>
  lines.map((line, index) => html`${index === 0 ? '' : html`<br>`}${line}`)

const inPage = (page: Page) => (line: string) => linked(line, page)

/** A line with the addresses of this server as links; other addresses stay text. `Label: address` becomes a link with that label. */
function linked(line: string, page: Page): Html {
  const { baseUrl } = page
  const alone = addressIn(line, baseUrl)
  if (alone) return linkTo(alone.address, alone.label ?? openLabel(page), page)
  const parts: Html[] = []
  let rest = line
  for (;;) {
    const at = rest.indexOf(baseUrl)
    if (at === -1) return html`${parts}${rest}`
    const tail = rest.slice(at + baseUrl.length)
    const path = /^[/?#][^\s"<>]*/.exec(tail)?.[0].replace(/[.,;:!?)]+$/, '') ?? ''
    const url = baseUrl + path
    parts.push(html`${rest.slice(0, at)}${linkTo(url, url, page)}`)
    rest = tail.slice(path.length)
  }
}
