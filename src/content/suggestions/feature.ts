// Suggestions of agents, which people decide.

import { clearing } from '../../identity/erasure.ts'
import type { CallActing } from '../../request/acting.ts'
import type { HideableKind } from '../hiding/hiding.ts'
import type { Feature } from '../manifest.ts'
import { suggestionHandlers } from './handlers.ts'
import { deleteSuggestionsOf, findSuggestionTitles, forgetDecider } from './queries.ts'
import type { Suggestible } from './rules.ts'

interface Services {
  powers: { hidings: ReadonlyMap<string, HideableKind> }
  suggestible: ReadonlyMap<string, Suggestible>
  callActing: CallActing
}

export const suggestionsFeature = {
  handlers: ({ powers: { hidings }, suggestible, callActing }: Services) => ({
    suggestions: suggestionHandlers({ suggestible, callActing, hidings }),
  }),
  erasure: {
    first: () => [clearing('suggestions', ['suggestion.authorId'], deleteSuggestionsOf)],
    steps: () => [clearing('decided-suggestions', ['suggestion.decidedById'], forgetDecider)],
  },
  titles: { suggestion: findSuggestionTitles },
} satisfies Feature
