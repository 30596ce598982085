// The text of a mail that has only HTML: its blocks as lines, without what it quotes. The library reads the HTML; what it writes has the allowed
// elements alone, without attributes, and is turned into text by expressions.
import sanitize from 'sanitize-html'

const BLOCKS = ['p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'pre', 'ul', 'ol', 'table', 'hr']
/** What programs put around the mail that is answered, and around signatures. */
const QUOTES =
  /\b(?:gmail_quote|gmail_attr|gmail_signature|gmail_extra|moz-cite-prefix|moz-signature|yahoo_quoted|protonmail_quote)\b/
const OUTLOOK = /^(?:x_)?(?:divRplyFwdMsg|appendonsend|Signature)$/

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

/** From here on there is what Outlook quotes: it puts no element around that. */
const CUT = '\u{f8ff}'

/** The text of HTML without what it quotes. */
export function textOfHtml(source: string): string {
  const plain = sanitize(source.replaceAll(CUT, '').replace(/[\r\n\t]+/g, ' '), {
    allowedTags: [...BLOCKS, 'br'],
    allowedAttributes: {},
    nestingLimit: 100,
    parseStyleAttributes: false,
    exclusiveFilter: ({ tag, attribs }) => tag === 'blockquote' || QUOTES.test(attribs['class'] ?? ''),
    nonTextTags: ['script', 'style', 'textarea', 'option', 'title', 'head', 'blockquote'],
    transformTags: {
      '*': (tagName, attribs) =>
        OUTLOOK.test(attribs['id'] ?? '') ? { tagName: 'p', attribs: {}, text: CUT } : { tagName, attribs },
    },
  })
  const [own = ''] = plain.split(CUT)
  return own
    .replace(/<br ?\/?>|<\/(?:p|div|li|tr|h[1-3]|pre|ul|ol|table)>|<hr ?\/?>/g, '\n')
    .replace(/<[^<>]{0,20}>/g, '')
    .replace(/&(lt|gt|quot|amp);/g, (_, name) => ENTITIES[name] ?? '')
    .replaceAll('\u00a0', ' ')
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
}
