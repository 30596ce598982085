// Comments on the things of all features, with reactions.
import type { Feature, Things } from '../manifest.ts'
import { handlersOfComments } from './handlers.ts'
import { hidingOfComments } from './hiding.ts'

export const commentsFeature = {
  handlers: ({ commentables }: Pick<Things, 'commentables'>) => ({ comments: handlersOfComments(commentables) }),
  hidings: ({ commentables }: Things) => [hidingOfComments(commentables)],
} satisfies Feature
