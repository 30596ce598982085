// Suggestions of agents beside a thing: what each would change, in words, and the form that accepts or refuses some of them.

import type { RequestEvent } from '@sveltejs/kit'
import type { Answer } from '#lib/api.ts'
import { wordOf } from '#lib/language/catalogue.ts'
import { action, field, found, reasonIn, refuse, stay } from './answers.ts'

/** So many are shown beside a thing; that many can wait. */
const SHOWN = 20
const MAX_VALUE = 300

type Suggestion = Answer<'suggestions.list'>['items'][number]
type Label = { id: string; name: string }

/** The suggestions that wait for a thing. */
export const suggestionsOf = async (event: Pick<RequestEvent, 'locals'>, targetId: string) =>
  (await waitingSuggestions(event, { targetId, per_page: SHOWN })).items

/** A page of suggestions that wait. `labels` are those there are, where one is suggested. */
export async function waitingSuggestions(
  { locals: { api, t } }: Pick<RequestEvent, 'locals'>,
  asked: Parameters<App.Locals['api']['suggestions']['list']>[0],
) {
  const { items, hasMore } = await found(api.suggestions.list(asked))
  const isOfLabel = items.some(({ input }) => 'labelId' in input)
  const labels = isOfLabel ? (await found(api.labels.list())).items : []
  const shown = items.map((suggestion) => ({
    ...suggestion,
    summary: wordOf(t, `operations.${suggestion.operation}`) ?? suggestion.summary,
    changes: changesIn(suggestion, labels),
  }))
  return { items: shown, hasMore }
}

function changesIn({ input }: Suggestion, labels: readonly Label[]) {
  return Object.entries(input)
    .filter(([name]) => name !== 'id' && name !== 'reason')
    .map(([name, value]) =>
      name === 'labelId'
        ? { name: 'label', value: labels.find(({ id }) => id === value)?.name ?? String(value) }
        : { name, value: String(value).slice(0, MAX_VALUE) },
    )
}

export const suggestionActions = {
  decideSuggestions: action(
    (form, { locals: { api } }: RequestEvent) => {
      const ids = form.getAll('suggestion').map(String)
      return field(form, 'decision') === 'refuse'
        ? api.suggestions.refuse({ ids, reason: reasonIn(form) })
        : api.suggestions.accept({ ids })
    },
    ({ items }, form) => {
      const wrong = items.find(({ error }) => error !== null)
      return wrong ? refuse({ status: 409, message: String(wrong.error) }, form, 'decideSuggestions') : stay()
    },
  ),
}
