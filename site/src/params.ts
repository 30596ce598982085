// What a segment of an address may be, where not everything is a page.
import { defineParams } from '@sveltejs/kit/params'
import { oneOf } from '#lib/features/library/shelves.ts'

export const params = defineParams({ libraryKind: oneOf })
