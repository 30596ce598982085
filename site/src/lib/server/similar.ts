// Without script, a form for a new thing is stopped once where a thing with much the same title exists: the reader sees it, and what
// was typed is still there. With script they have seen it before (enhance/similar.ts).
import type { Answer } from '#lib/api.ts'
import { field, typed } from './answers.ts'

export type SimilarThing = Answer<'search.similar'>['items'][number]
type Type = NonNullable<Parameters<App.Locals['api']['search']['similar']>[0]>['type']

/** What the form shows instead of being sent; undefined where it may be sent, as by a client that sends no `anyway`. */
export async function similarFirst({ api }: Pick<App.Locals, 'api'>, form: FormData, type: Type) {
  if (!form.has('anyway') || field(form, 'anyway') !== '') return undefined
  const title = field(form, 'title').trim().slice(0, 100)
  const { items } = await api.search.similar({ title, type })
  const similar = items.filter(({ likely }) => likely)
  return similar.length > 0 ? { similar, typed: typed(form), of: 'create' } : undefined
}
