// The button that copies a block of code, in the reader's language: rendered HTML is cached without it (src/enhance/fields.ts has its script).
import type { SiteWords } from '#lib/language/catalogue.ts'
import { escapeHtml } from './highlight.ts'

/** A block as the renderer writes it (markdown-parser.ts) and the sanitizer lets it through: code has no `<`. */
const BLOCK = /<pre(?: tabindex="0")?><code[\s\S]*?<\/code><\/pre>/g

/** Rendered HTML with a Copy button at each block of code. */
export const withCopies = (t: SiteWords, html: string): string =>
  html.replace(
    BLOCK,
    (block) =>
      `<div class="code">${block}<button class="button small scripted" type="button" data-copy aria-live="polite">${escapeHtml(t('ui.copy'))}</button></div>`,
  )
