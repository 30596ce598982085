// A page of the operator's own (OWN_PAGES): Markdown, which is shown as that of members is.
import { error } from '@sveltejs/kit'
import { withCopies } from '#lib/server/copies.ts'
import { withLabels } from '#lib/server/labels.ts'
import { plainText, renderMarkdown } from '#lib/server/markdown.ts'
import { textIn } from '../../../../../src/config/site-texts.ts'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = ({ locals: { server, t }, params: { slug } }) => {
  const page = server.looks.ownPages.find((one) => one.slug === slug)
  if (!page) error(404, t('errors.page.404'))
  const body = textIn(page.body, t.language)
  return {
    document: {
      title: textIn(page.title, t.language),
      description: plainText(body, 160),
      contents: [],
      html: withCopies(t, withLabels(t, renderMarkdown(body))),
    },
  }
}
