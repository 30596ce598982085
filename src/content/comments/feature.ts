// Comments on the things of all features, with reactions.

import type { Feature, Things } from '../manifest.ts'
import { commentErasure, reactionErasure } from './erasure.ts'
import { handlersOfComments } from './handlers.ts'
import { hidingOfComments } from './hiding.ts'

export const commentsFeature = {
  handlers: ({ commentables }: Pick<Things, 'commentables'>) => ({ comments: handlersOfComments(commentables) }),
  hidings: ({ commentables }: Things) => [hidingOfComments(commentables)],
  erasure: {
    // Comments go before the things they are on, so that the remaining comments are those of others.
    first: ({ commentables }) => [reactionErasure, commentErasure(commentables)],
  },
} satisfies Feature
