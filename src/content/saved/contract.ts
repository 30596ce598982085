// Lists as a member filtered them, under names of their own: only that member sees them.
import { z } from 'zod'
import { EXAMPLE_ID, Id, line, Timestamp, text, textLike } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { read, write } from '../area.ts'
import { isListPath, MAX_SAVED } from './rules.ts'

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
} satisfies Contract
