// Route parameters with a fixed set of values.
import { defineParams } from '@sveltejs/kit/params'
import { oneOf } from '#lib/features/library/shelves.ts'
import { oneOf as oneSubject } from '#lib/subjects.ts'

export const params = defineParams({ libraryKind: oneOf, subject: oneSubject })
