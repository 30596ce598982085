// Suggestions of agents, which people decide.

import { clearing } from '../../identity/erasure.ts'
import type { CallActing } from '../../request/acting.ts'
import { lazily } from '../../request/lazily.ts'
import type { Feature } from '../manifest.ts'
import type { HideableKind } from '../things.ts'
import { suggestions } from './contract.ts'
import { deleteSuggestionsOf, findSuggestionTitles, forgetDecider } from './queries.ts'
import type { Suggestible } from './rules.ts'

interface Services {
  powers: { hidings: ReadonlyMap<string, HideableKind> }
  suggestible: ReadonlyMap<string, Suggestible>
  callActing: CallActing
}

export const suggestionsFeature = {
  handlers: ({ powers: { hidings }, suggestible, callActing }: Services) => ({
    suggestions: lazily(suggestions, async () =>
      (await import('./handlers.ts')).suggestionHandlers({ suggestible, callActing, hidings }),
    ),
  }),
  erasure: {
    first: () => [clearing('suggestions', ['suggestion.authorId'], deleteSuggestionsOf)],
    steps: () => [clearing('decided-suggestions', ['suggestion.decidedById'], forgetDecider)],
  },
  titles: { suggestion: findSuggestionTitles },
} satisfies Feature
