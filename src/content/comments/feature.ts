// Comments on the things of all features, with reactions.

import type { Db } from '../../database/schema.ts'
import { lazily } from '../../request/lazily.ts'
import { tableSource } from '../../search/building-queries.ts'
import type { NewDocument } from '../../search/document.ts'
import { commentDocument } from '../../search/things.ts'
import { listClosed } from '../board-access/queries.ts'
import { withWholeTexts } from '../imported/whole-texts.ts'
import type { Feature, Things } from '../manifest.ts'
import { titlesIn } from '../title-queries.ts'
import { comments } from './contract.ts'
import { hidingOfComments } from './hiding.ts'

const source = tableSource(
  {
    table: 'comment',
    columns: ['id', 'authorId', 'targetType', 'targetId', 'body', 'createdAt', 'viaClientId'],
    type: 'comment',
    canHide: true,
  },
  commentDocument,
)

/** Without what is said in closed boards. */
async function withoutClosed(db: Db, documents: readonly NewDocument[]): Promise<NewDocument[]> {
  const parents = [...new Set(documents.flatMap(({ parentId }) => parentId ?? []))]
  const closed = parents.length > 0 ? await listClosed(db, parents) : new Set()
  return documents.filter(({ parentId }) => !closed.has(parentId))
}

export const commentsFeature = {
  handlers: ({ commentables }: Pick<Things, 'commentables'>) => ({
    comments: lazily(comments, async () => (await import('./handlers.ts')).handlersOfComments(commentables)),
  }),
  hidings: ({ commentables }: Things) => [hidingOfComments(commentables)],
  erasure: {
    // Comments go before the things they are on, so that the remaining comments are those of others.
    first: async ({ commentables }) => {
      const { reactionErasure, commentErasure } = await import('./erasure.ts')
      return [reactionErasure, commentErasure(commentables)]
    },
  },
  titles: {
    comment: titlesIn('comment', ['id', 'body'], ({ id, body }) => ({
      ...{ id, title: body, url: `/community/comments/${id}` },
    })),
  },
  searchSources: [
    { ...source, find: async (db, ids) => withoutClosed(db, await withWholeTexts(db, await source.find(db, ids))) },
  ],
  paths: { comment: ['/community/comments/{id}', '/community/comments/{commentId}'] },
} satisfies Feature
