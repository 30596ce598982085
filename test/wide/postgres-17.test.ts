// The server on PostgreSQL 17.
import { lanePostgres } from './postgres.ts'

lanePostgres('17.10.0-beta.17')
