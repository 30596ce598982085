// Route parameters with a fixed set of values.
import { defineParams } from '@sveltejs/kit/params'
import { oneOf } from '#lib/features/library/shelves.ts'
import { oneOf as oneSubject } from '#lib/subjects.ts'

/** Any id: `new` is the form. */
const thing = (segment: string) => (segment === 'new' ? undefined : segment)

export const params = defineParams({ libraryKind: oneOf, subject: oneSubject, thing })
