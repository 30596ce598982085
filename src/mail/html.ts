// The HTML part of a mail, made of its text, so that both always say the same. It loads nothing and runs nothing: styles are in it, its one
// picture is a logo that comes with it, and only addresses of this server are links.
import { html } from 'hono/html'
import { paletteOf } from '../config/colors.ts'
import { type AddedLanguages, FALLBACK } from '../contract/languages.ts'
import { directionOf } from '../language/choice.ts'
import { blocksOf, type Colours, type Html, type Page } from './blocks.ts'
import { mailWords } from './words.ts'

/** The accent of a server without one of its own, on light and on dark grounds, and the words on it. */
const COPPER: Record<'light' | 'dark', Colours> = {
  light: { accent: '#8f4a1b', onAccent: '#ffffff' },
  dark: { accent: '#e2a06f', onAccent: '#1a120c' },
}
const styles = {
  body: 'margin:0;padding:24px 12px;background:#f6f3ef;color:#241f1b;font:16px/1.55 -apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif',
  above: 'max-width:560px;margin:0 auto 14px;color:#6a5f55;font-size:13px',
  card: 'max-width:560px;margin:0 auto;padding:28px 28px 12px;background:#fffdfa;border:1px solid #e4ddd4;border-radius:10px;overflow-wrap:anywhere',
  name: 'margin:0 0 16px;font:600 16px/1.2 Georgia,serif',
  heading: 'margin:0 0 16px;font:600 22px/1.3 -apple-system,"Segoe UI",Roboto,Helvetica,Arial,sans-serif',
  logo: 'vertical-align:middle;margin-right:10px;border:0',
  foot: 'max-width:560px;margin:14px auto 0;color:#6a5f55;font-size:13px',
  // Read by mail programs for the line beside the subject, and not shown.
  preview: 'display:none;max-height:0;overflow:hidden;opacity:0',
}
/** Mail programs that know dark colours read this; the others keep the light ones, which are in the elements. */
const darkOf = ({ accent, onAccent }: Colours) => `@media (prefers-color-scheme: dark) {
  body { background: #191613 !important; color: #ece5dc !important }
  .card { background: #221e1a !important; border-color: #3a332c !important }
  .code { background: #332c25 !important; color: #ece5dc !important }
  .quote { border-color: #51473d !important; color: #bdb1a4 !important }
  .foot, .above, .end { border-color: #3a332c !important; color: #a99d90 !important }
  .name, a { color: ${accent} !important }
  .button { border-color: ${accent} !important; background: ${accent} !important; color: ${onAccent} !important }
}`

const PREVIEW_CHARACTERS = 120
/** Above which a mail is answered. It is the first thing that is shown, so that no text of the server is above it in a reply. */
const ABOVE = /^(--- .* ---)\n\n/

interface MailText {
  subject: string
  text: string
  baseUrl: string
  /** The name of this server. */
  name: string
  /** The colour of its name, of links and of the button; copper unless told. */
  accent?: string | undefined
  /** The address of a logo in the mail itself (RFC 2392). */
  logo?: string | undefined
  /** English unless told. */
  language?: string
  /** Those that the operator added. */
  languages?: AddedLanguages | undefined
}

function coloursOf(accent: string, theme: 'light' | 'dark'): Colours {
  const { accent: shade, 'on-accent': onAccent } = paletteOf({ accent }, theme)
  return { accent: shade, onAccent }
}

const accentsOf = (accent: string | undefined): typeof COPPER =>
  accent === undefined ? COPPER : { light: coloursOf(accent, 'light'), dark: coloursOf(accent, 'dark') }

/** The line below the mail, with a link to the site. */
const sentBy = ({ baseUrl, t }: Page): (string | Html)[] =>
  t
    .parts('mails.html.sentBy', { host: new URL(baseUrl).host })
    .map((part) =>
      typeof part === 'string' ? part : html`<a href="${baseUrl}" style="color:inherit">${part.text}</a>`,
    )

/** `text` has paragraphs between empty lines, a code on a line of its own, `> ` before quoted lines and `- ` before those of lists. */
export function htmlOf({ subject, text, baseUrl, name, language = FALLBACK, languages, ...looks }: MailText): string {
  const accents = accentsOf(looks.accent)
  const page: Page = { baseUrl, t: mailWords(language, { name, languages }), ...accents.light }
  const logo = looks.logo && html`<img src="${looks.logo}" alt="" height="28" style="${styles.logo}">`
  const [, above] = ABOVE.exec(text) ?? []
  const words = text.replace(ABOVE, '').trim()
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
${above ? html`<p class="above" style="${styles.above}">${above}</p>\n` : ''}<div class="card" style="${styles.card}">
<p class="name" style="${styles.name};color:${page.accent}">${logo ?? ''}${name}</p>
<h1 dir="auto" style="${styles.heading}">${subject}</h1>
${blocksOf(words, subject, page)}
</div>
<p class="foot" style="${styles.foot}">${sentBy(page)}</p>
</body>
</html>
`.toString()
}

/** What a list of mails shows beside the subject: the first words, without what others wrote and the line above which it is answered. */
function previewOf(text: string): string {
  const own = text.split('\n').filter((line) => !/^(?:> |--- )/.test(line))
  return own.join(' ').replace(/\s+/g, ' ').trim().slice(0, PREVIEW_CHARACTERS)
}
