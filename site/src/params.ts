// Route parameters with a fixed set of values.
import { defineParams } from '@sveltejs/kit/params'
import { oneOf } from '#lib/features/library/shelves.ts'

export const params = defineParams({ libraryKind: oneOf })
