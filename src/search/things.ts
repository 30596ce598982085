// What each kind of thing says to the search, from its rows. Subjects with a declaration say it there (content/subjects/publication.ts).
import type {
  CommentTable,
  LabelTable,
  LibraryItemTable,
  OrgPageTable,
  OrgUploadTable,
  TeamTable,
  UserTable,
  VersionDetailsTable,
} from '../database/schema.ts'
import { parseJson } from '../runtime/untyped.ts'
import type { NewDocument } from './document.ts'

const lines = (...texts: (string | null | undefined)[]) => texts.filter(Boolean).join('\n')

export const commentDocument = ({
  id,
  authorId,
  targetType,
  targetId,
  body,
  createdAt,
  viaClientId,
}: Pick<
  CommentTable,
  'id' | 'authorId' | 'targetType' | 'targetId' | 'body' | 'createdAt' | 'viaClientId'
>): NewDocument => ({
  ...{ id, type: 'comment', authorId, parentType: targetType, parentId: targetId, viaClientId },
  ...{ title: '', body, url: `/community/comments/${id}`, createdAt },
})

/** Undefined for an account without a username, which has no page. */
export const personDocument = ({
  id,
  name,
  username,
  createdAt,
}: Pick<UserTable, 'id' | 'name' | 'username' | 'createdAt'>): NewDocument | undefined =>
  username === null
    ? undefined
    : {
        ...{ id, type: 'person', authorId: id, title: name ?? username, names: username },
        ...{ body: '', url: `/community/u/${username}`, createdAt },
      }

export const labelDocument = ({ id, name }: Pick<LabelTable, 'id' | 'name'>): NewDocument => ({
  ...{ id, type: 'label', authorId: null, title: name, body: '' },
  ...{ url: `/community/bugs?label=${encodeURIComponent(name)}`, createdAt: null },
})

export const tagId = (tag: string): string => `tag/${tag}`

export const tagDocument = (tag: string): NewDocument => ({
  ...{ id: tagId(tag), type: 'tag', authorId: null, title: tag, body: '' },
  ...{ url: `/library?tag=${encodeURIComponent(tag)}`, createdAt: null },
})

/** A team that everybody sees. It is of no single account. */
export const teamDocument = ({
  id,
  slug,
  name,
  description,
  createdAt,
}: Pick<TeamTable, 'id' | 'slug' | 'name' | 'description' | 'createdAt'>): NewDocument => ({
  ...{ id, type: 'team', authorId: null, title: name, names: slug, body: description },
  ...{ url: `/teams/${slug}`, createdAt },
})

type FoundOrg = Pick<
  OrgUploadTable,
  'id' | 'slug' | 'name' | 'goal' | 'tagline' | 'description' | 'authorId' | 'createdAt' | 'viaClientId'
> &
  Pick<OrgPageTable, 'body'>

export const orgDocument = (
  { id, slug, goal, tagline, description, body, authorId, createdAt, viaClientId }: FoundOrg,
  { title, url }: { title: string; url: string },
): NewDocument => ({
  ...{ id, type: 'org', authorId, title, names: slug, url, createdAt, viaClientId },
  body: lines(tagline, description, goal, body),
})

/** Older rows have neither. */
interface Contents {
  files?: { path: string }[]
  permissions?: { steps: string[] } | null
  stepNames?: string[]
}

type FoundItem = Pick<
  LibraryItemTable,
  'id' | 'kind' | 'slug' | 'name' | 'description' | 'tags' | 'meta' | 'ownerId' | 'createdAt' | 'viaClientId'
> &
  Pick<VersionDetailsTable, 'readme' | 'contents'>

/** An item that is public: its README, steps and files are those of its newest version. */
export function itemDocument(item: FoundItem): NewDocument {
  const { id, kind, slug, name, description, readme, ownerId, createdAt, viaClientId } = item
  const { files = [], permissions, stepNames = [] } = parseJson<Contents>(item.contents)
  const { node_types: nodeTypes = [] } = parseJson<{ node_types?: string[] }>(item.meta)
  const named = [...parseJson<string[]>(item.tags), ...nodeTypes, ...(permissions?.steps ?? []), ...stepNames]
  const readmes = readme === description ? null : readme
  return {
    ...{ id, type: kind, authorId: ownerId, title: name, names: slug, url: `/library/${kind}s/${slug}` },
    ...{ createdAt, viaClientId },
    body: lines(description, readmes, named.join(' '), files.map(({ path }) => path).join(' ')),
  }
}
