// The kinds of subjects: their icons, vote paths and comments, from the declarations of the server. Their words are in the catalogue.

import type { Subject } from '../../../../src/content/subject.ts'
import { type FeedKind, feedKinds } from '../../../../src/contract/kinds.ts'
import { subjects } from '../../../../src/subjects.ts'
import type { IconName } from './icons.ts'

export type Kind = FeedKind
export { feedKinds }

interface KindLooks {
  icon: IconName
  /** The API's folder below /api/community. */
  votes: string
  comments: boolean
}

const declared: readonly Subject[] = subjects

const known = new Map(
  declared.flatMap(({ kinds, path, parent }) =>
    kinds.map(({ kind, icon }): [Kind, KindLooks] => [
      kind,
      { icon: icon as IconName, votes: path.slice('/community/'.length), comments: parent !== undefined },
    ]),
  ),
)

export const kinds = Object.fromEntries(feedKinds.map((kind) => [kind, known.get(kind)])) as Record<Kind, KindLooks>
