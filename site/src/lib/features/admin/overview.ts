// The answer that the overview shows.
import type { z } from 'zod'
import type { overview } from '../../../../../src/community/admin/overview-contract.ts'

export type Overview = z.output<typeof overview.get.output>
