// The second layer of Markdown: an allowlist of elements and attributes for HTML.
// It does not depend on the first layer and is safe for any HTML.
import sanitize from 'sanitize-html'
import { siteWords } from '#lib/language/catalogue.ts'
import { IN_TEXT } from '#lib/picture-widths.ts'
import { isHere, isLink, isOurImage, LINK_REL } from './addresses.ts'

/** Deeper elements are removed and their content stays; browsers stop at 512. */
const MAX_DEPTH = 100
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const BLOCKS = ['p', 'blockquote', 'ul', 'ol', 'li', 'pre', 'hr', 'table', 'thead', 'tbody', 'tr', 'th', 'td']
/** Of a task in a list; see markdown-parser.ts. */
const TASK = [
  { name: 'role', values: ['img'] },
  { name: 'aria-label', values: [siteWords('ui.task.done'), siteWords('ui.task.todo')] },
]
const TURNED = { name: 'dir', values: ['auto'] }
const SIZE = /^[1-9]\d{0,4}$/
/** Of our pictures; see lib/picture-widths.ts. */
const WIDTHS = /^(?:(?:^|, )\/api\/images\/(?:text|org)\/[0-9a-f-]{36}(?:\?width=\d{3,4})? \d{3,4}w){1,4}$/
/** Of footnotes; see markdown-parser.ts. No other id passes. */
const NOTE_ID = /^fn(?:ref)?-[0-9a-f]{8}-\d{1,3}(?:-\d{1,3})?$/
const NOTE_BACK = new RegExp(`^${siteWords('ui.footnote.back', { number: '\\d{1,3}' })}$`)
const noteOf = ({ id, 'aria-label': label }: sanitize.Attributes): sanitize.Attributes => ({
  ...(id !== undefined && NOTE_ID.test(id) && { id }),
  ...(label !== undefined && NOTE_BACK.test(label) && { 'aria-label': label }),
})
const CELL = { th: ['align-center', 'align-end'], td: ['align-center', 'align-end'] }

const untrusted: sanitize.IOptions = {
  allowedTags: [...HEADINGS, ...BLOCKS, 'a', 'br', 'code', 'em', 'img', 's', 'section', 'span', 'strong', 'sup'],
  allowedAttributes: {
    a: ['href', 'title', 'rel', 'id', 'aria-label'],
    li: ['id'],
    img: ['src', 'alt', 'title', 'loading', 'decoding', 'width', 'height', 'srcset', 'sizes'],
    blockquote: [TURNED],
    ol: ['start', TURNED],
    ul: [TURNED],
    span: TASK,
    pre: [{ name: 'tabindex', values: ['0'] }],
    table: [{ name: 'tabindex', values: ['0'] }],
  },
  allowedClasses: {
    ...CELL,
    code: ['hljs', /^language-[a-z]+$/],
    // What highlight.js writes: `hljs-title function_`, `inherited__`.
    span: ['task', 'reference', /^hljs-[a-z_-]+$/, /^[a-z]+_+$/],
    pre: ['plain'],
    section: ['footnotes'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nestingLimit: MAX_DEPTH,
  parseStyleAttributes: false,
  transformTags: {
    a: (tagName, { href, title, ...others }) => ({
      tagName,
      attribs: {
        ...(href !== undefined && isLink(href) && { href }),
        ...(title && { title }),
        ...noteOf(others),
        rel: LINK_REL,
      },
    }),
    li: (tagName, { id }) => ({ tagName, attribs: noteOf(id === undefined ? {} : { id }) }),
    img: (tagName, { width = '', height = '', srcset = '', sizes = '', ...attribs }) => ({
      tagName,
      attribs: {
        ...attribs,
        ...(SIZE.test(width) && SIZE.test(height) && { width, height }),
        ...(WIDTHS.test(srcset) && sizes === IN_TEXT && { srcset, sizes }),
      },
    }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isOurImage(attribs.src ?? ''),
}

const trusted: sanitize.IOptions = {
  ...untrusted,
  allowedAttributes: { ...untrusted.allowedAttributes, ...Object.fromEntries(HEADINGS.map((tag) => [tag, ['id']])) },
  transformTags: {},
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isHere(attribs.src ?? ''),
}

/** HTML with only the elements that text needs. */
export const sanitizeText = (html: string): string => sanitize(html, untrusted)

/** The same for our own texts: headings keep ids, links have no rel. */
export const sanitizeOwnText = (html: string): string => sanitize(html, trusted)
