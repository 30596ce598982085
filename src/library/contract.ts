// Everything a caller can do in the library. Routes, OpenAPI, client and reference are read off this object.
import type { Contract } from '../contract/operation.ts'
import { discussion } from './discussion/contract.ts'
import { finding, reading } from './finding/contract.ts'
import { own } from './me-contract.ts'
import { publishing } from './publishing/contract.ts'

export const library = { ...finding, ...reading, ...publishing, ...discussion, ...own } satisfies Contract
