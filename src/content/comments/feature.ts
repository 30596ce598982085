// Comments on the things of all features, with reactions.

import { tableSource } from '../../search/source-queries.ts'
import { commentDocument } from '../../search/things.ts'
import type { Feature, Things } from '../manifest.ts'
import { titlesIn } from '../title-queries.ts'
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
  titles: {
    comment: titlesIn('comment', ['id', 'body'], ({ id, body }) => ({
      ...{ id, title: body, url: `/community/comments/${id}` },
    })),
  },
  searchSources: [
    tableSource(
      {
        table: 'comment',
        columns: ['id', 'authorId', 'targetType', 'targetId', 'body', 'createdAt', 'viaClientId'],
        type: 'comment',
        canHide: true,
      },
      commentDocument,
    ),
  ],
  paths: { comment: ['/community/comments/{id}', '/community/comments/{commentId}'] },
} satisfies Feature
