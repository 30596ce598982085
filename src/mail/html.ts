// The HTML part of a mail, made of its text, so that both always say the same. It loads nothing and runs nothing: styles are in it, its one
// picture is a logo that comes with it, and only addresses of this server are links.
import { html } from 'hono/html'
import { paletteOf } from '../config/colors.ts'
import { FALLBACK, type Language } from '../contract/languages.ts'
import { directionOf } from '../language/choice.ts'
import { type MailWords, mailWords } from './words.ts'

type Html = ReturnType<typeof html>

/** The accent of a server without one of its own, on light and on dark grounds. */
const COPPER = { light: '#8f4a1b', dark: '#e2a06f' }
const styles = {
  body: 'margin:0;padding:24px 12px;background:#f6f3ef;color:#241f1b;font:16px/1.55 -apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif',
  card: 'max-width:560px;margin:0 auto;padding:28px 28px 12px;background:#fffdfa;border:1px solid #e4ddd4;border-radius:10px;overflow-wrap:anywhere',
  name: 'margin:0 0 20px;font:600 20px/1.2 Georgia,serif',
  logo: 'vertical-align:middle;margin-right:10px;border:0',
  paragraph: 'margin:0 0 16px',
  code: 'margin:0 0 16px;padding:14px;background:#f3ece3;color:#241f1b;border-radius:8px;text-align:center;font:600 28px/1.3 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px',
  quote: 'margin:4px 0 4px;padding:2px 0 2px 12px;border-left:3px solid #d8cdbf;color:#5b5148',
  list: 'margin:0 0 16px;padding-left:22px',
  foot: 'max-width:560px;margin:14px auto 0;color:#6a5f55;font-size:13px',
  // Read by mail programs for the line beside the subject, and not shown.
  preview: 'display:none;max-height:0;overflow:hidden;opacity:0',
}
/** Mail programs that know dark colours read this; the others keep the light ones, which are in the elements. */
const darkOf = (accent: string) => `@media (prefers-color-scheme: dark) {
  body { background: #191613 !important; color: #ece5dc !important }
  .card { background: #221e1a !important; border-color: #3a332c !important }
  .code { background: #332c25 !important; color: #ece5dc !important }
  .quote { border-color: #51473d !important; color: #bdb1a4 !important }
  .foot { color: #a99d90 !important }
  .name, a { color: ${accent} !important }
}`

const PREVIEW_CHARACTERS = 120
const CODE = /^\d{6}$/

interface MailText {
  subject: string
  text: string
  baseUrl: string
  /** The name of this server. */
  name: string
  /** The colour of its name and of links; copper unless told. */
  accent?: string | undefined
  /** The address of a logo in the mail itself (RFC 2392). */
  logo?: string | undefined
  /** English unless told. */
  language?: Language
}

interface Page {
  baseUrl: string
  t: MailWords
  accent: string
}

const accentsOf = (accent: string | undefined): typeof COPPER =>
  accent === undefined
    ? COPPER
    : { light: paletteOf({ accent }, 'light').accent, dark: paletteOf({ accent }, 'dark').accent }

/** The line below the mail, with a link to the site. */
const sentBy = ({ baseUrl, t }: Page): (string | Html)[] =>
  t
    .parts('mails.html.sentBy', { host: new URL(baseUrl).host })
    .map((part) =>
      typeof part === 'string' ? part : html`<a href="${baseUrl}" style="color:inherit">${part.text}</a>`,
    )

/** `text` has paragraphs between empty lines, a code on a line of its own, `> ` before quoted lines and `- ` before those of lists. */
export function htmlOf({ subject, text, baseUrl, name, language = FALLBACK, ...looks }: MailText): string {
  const accents = accentsOf(looks.accent)
  const page: Page = { baseUrl, t: mailWords(language, { name }), accent: accents.light }
  const logo = looks.logo && html`<img src="${looks.logo}" alt="" height="28" style="${styles.logo}">`
  const paragraphs = text.trim().split(/\n{2,}/)
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>${darkOf(accents.dark)}</style>
</head>
<body style="${styles.body}">
<div style="${styles.preview}">${previewOf(text)}</div>
<div class="card" style="${styles.card}">
<p class="name" style="${styles.name};color:${accents.light}">${logo ?? ''}${name}</p>
${paragraphs.map((paragraph) => blockOf(paragraph.split('\n'), page))}
</div>
<p class="foot" style="${styles.foot}">${sentBy(page)}</p>
</body>
</html>
`.toString()
}

/** What a list of mails shows beside the subject: the first words, without what others wrote. */
function previewOf(text: string): string {
  const own = text.split('\n').filter((line) => !line.startsWith('> '))
  return own.join(' ').replace(/\s+/g, ' ').trim().slice(0, PREVIEW_CHARACTERS)
}

function blockOf(lines: readonly string[], page: Page): Html {
  const [first = ''] = lines
  if (lines.length === 1 && CODE.test(first)) return html`<p class="code" style="${styles.code}">${first}</p>\n`
  if (lines.every((line) => line.startsWith('- '))) {
    return html`<ul style="${styles.list}">${lines.map((line) => html`<li>${linked(line.slice(2), page)}</li>`)}</ul>\n`
  }
  const quoted = lines.filter((line) => line.startsWith('> '))
  if (quoted.length === 0) return paragraphOf(lines, page)
  const at = lines.findIndex((line) => line.startsWith('> '))
  return html`${paragraphOf(lines.slice(0, at), page)}<blockquote class="quote" dir="auto" style="${styles.quote}">${broken(quoted.map((line) => line.slice(2)))}</blockquote>
${paragraphOf(lines.slice(at + quoted.length), page)}`
}

const paragraphOf = (lines: readonly string[], page: Page): Html =>
  html`<p dir="auto" style="${styles.paragraph}">${broken(lines.map((line) => linked(line, page)))}</p>\n`

const linkTo = (url: string, text: string, { accent }: Page): Html =>
  html`<a href="${url}" style="color:${accent}">${text}</a>`

const broken = (lines: readonly (string | Html)[]): Html[] =>
  lines.map((line, index) => html`${index === 0 ? '' : html`<br>`}${line}`)

/** A line with the addresses of this server as links; other addresses stay text. `Label: address` becomes a link with that label. */
function linked(line: string, page: Page): Html {
  const { baseUrl, t } = page
  const { label, address } = /^(?:(?<label>[^:]{1,60}): )?(?<address>\S+)$/.exec(line)?.groups ?? {}
  if (address?.startsWith(`${baseUrl}/`))
    return linkTo(address, label ?? t('mails.html.open', { host: new URL(baseUrl).host }), page)
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
