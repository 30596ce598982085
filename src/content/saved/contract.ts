// Lists as a member filtered them, under names of their own: only that member sees them, beside those that moderators share in a board.
import { z } from 'zod'
import { auditActions } from '../../contract/audit.ts'
import { BoardSlug, EXAMPLE_ID, Id, line, Timestamp, text, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { open, read, write } from '../area.ts'
import { isListPath, MAX_SAVED, MAX_SHARED } from './rules.ts'

/** What the audit log records of filters that are shared. */
export const sharedFilterActions = auditActions('board', {
  'share-filter': 'Shared a filter in a board',
  'unshare-filter': 'Took a shared filter out of a board',
})

const Path = text(1, 500)
  .refine(isListPath, 'must be the path of a list of this site, with its query')
  .meta({ example: '/community/bugs?status=open', description: 'A list of this site, with its query' })

const Name = line(1, 60).meta({ example: 'Open bugs' })

const SavedFilter = z
  .object({
    id: Id,
    name: textLike('Open bugs'),
    path: textLike('/community/bugs?status=open'),
    createdAt: Timestamp,
  })
  .meta({ id: 'SavedFilter' })

export const savedFilters = {
  list: {
    summary: 'The lists that I saved with their filters, by name',
    synonyms: ['saved searches', 'my filters'],
    method: 'GET',
    path: '/community/saved-filters',
    access: read,
    input: z.object({}),
    output: z.object({ items: z.array(SavedFilter).meta({ description: `At most ${MAX_SAVED}` }) }),
  },
  save: {
    summary: 'Save a list with its filters under a name; the same list again gets the new name',
    synonyms: ['save search', 'save filter', 'bookmark list'],
    description: `An account has at most ${MAX_SAVED}: one more is 409.`,
    method: 'PUT',
    kind: 'account',
    path: '/community/saved-filters',
    access: write,
    budget: 'votes',
    input: z.object({ name: Name, path: Path }),
    output: SavedFilter,
    problems: ['conflict'],
  },
  delete: {
    summary: 'Remove a saved filter',
    method: 'DELETE',
    kind: 'account',
    path: '/community/saved-filters/{id}',
    access: write,
    budget: 'votes',
    input: z.object({ id: Id }),
    output: z.object({ id: textLike(EXAMPLE_ID) }),
    problems: ['not_found'],
  },
  listShared: {
    summary: 'The lists that are shared in a board with their filters, by name',
    synonyms: ['shared views', 'board filters'],
    method: 'GET',
    path: '/community/boards/{board}/saved-filters',
    access: open,
    input: z.object({ board: BoardSlug }),
    output: z.object({ items: z.array(SavedFilter).meta({ description: `At most ${MAX_SHARED}` }) }),
    problems: ['not_found'],
  },
  share: {
    summary: 'Share a list of a board with its filters under a name; the same list again gets the new name',
    synonyms: ['share filter', 'share view', 'share search'],
    description: `For moderators of the board. A board has at most ${MAX_SHARED}: one more is 409. The query is that of the list of bugs, feature requests, posts or releases, without a page.`,
    method: 'PUT',
    kind: 'moderation',
    path: '/community/boards/{board}/saved-filters',
    access: write,
    budget: 'votes',
    audit: [sharedFilterActions['share-filter']],
    input: z.object({ board: BoardSlug, name: Name, path: Path }),
    output: SavedFilter,
    problems: ['not_found', 'forbidden', 'conflict'],
  },
  unshare: {
    summary: 'Take a shared filter out of a board',
    synonyms: ['remove shared view'],
    description: 'For moderators of the board.',
    method: 'DELETE',
    kind: 'moderation',
    path: '/community/boards/{board}/saved-filters/{id}',
    access: write,
    budget: 'votes',
    audit: [sharedFilterActions['unshare-filter']],
    input: z.object({ board: BoardSlug, id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found', 'forbidden'],
  },
} satisfies Contract
