// What footnotes and tasks of rendered texts are called for screen readers, in the reader's language: their HTML is cached for all readers in the
// site's own (markdown-parser.ts, sanitizer.ts).
import { type SiteWords, siteWords } from '#lib/language/catalogue.ts'

/** What the sanitizer lets through: text has no `<`. */
const TASK = new RegExp(
  `(<span class="task" role="img" aria-label=")(${siteWords('ui.task.done')}|${siteWords('ui.task.todo')})"`,
  'g',
)
const BACK = new RegExp(
  `(<a href="#fnref-[\\w-]+" aria-label=")${siteWords('ui.footnote.back', { number: '(\\d{1,3})' })}"`,
  'g',
)

/** Rendered HTML with its labels in the reader's language. */
export const withLabels = (t: SiteWords, html: string): string =>
  t.language === siteWords.language
    ? html
    : html
        .replace(
          TASK,
          (_, before: string, label: string) =>
            `${before}${label === siteWords('ui.task.done') ? t('ui.task.done') : t('ui.task.todo')}"`,
        )
        .replace(BACK, (_, before: string, number: string) => `${before}${t('ui.footnote.back', { number })}"`)
