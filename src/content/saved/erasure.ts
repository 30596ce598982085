// The erasure of an account's saved filters.
import { clearing } from '../../identity/erasure.ts'
import { deleteSavedOf } from './queries.ts'

export const savedErasure = clearing('saved-filters', ['savedFilter.userId'], deleteSavedOf)
