// The registry: every operator of every domain file, by id. One line adds a domain.

import { DomainError } from '../core/errors.ts';
import { didYouMean, nearestNames, theNearest } from '../core/nearest.ts';
import CEL from './domains/CEL.json' with { type: 'json' };
import CHE from './domains/CHE.json' with { type: 'json' };
import CK from './domains/CK.json' with { type: 'json' };
import CM from './domains/CM.json' with { type: 'json' };
import CMP from './domains/CMP.json' with { type: 'json' };
import CS from './domains/CS.json' with { type: 'json' };
import EM from './domains/EM.json' with { type: 'json' };
import EPI from './domains/EPI.json' with { type: 'json' };
import FIN from './domains/FIN.json' with { type: 'json' };
import FL from './domains/FL.json' with { type: 'json' };
import HEP from './domains/HEP.json' with { type: 'json' };
import HT from './domains/HT.json' with { type: 'json' };
import ICO from './domains/ICO.json' with { type: 'json' };
import KO from './domains/KO.json' with { type: 'json' };
import NL from './domains/NL.json' with { type: 'json' };
import OC from './domains/OC.json' with { type: 'json' };
import PHA from './domains/PHA.json' with { type: 'json' };
import PWR from './domains/PWR.json' with { type: 'json' };
import QM from './domains/QM.json' with { type: 'json' };
import SM from './domains/SM.json' with { type: 'json' };
import STR from './domains/STR.json' with { type: 'json' };
import SVC_PROTECT from './domains/SVC-PROTECT.json' with { type: 'json' };
import WM from './domains/WM.json' with { type: 'json' };
import type { Operator, OperatorFile } from './operator.ts';

const FILES = [
  CEL,
  CHE,
  CK,
  CM,
  CMP,
  CS,
  EM,
  EPI,
  FIN,
  FL,
  HEP,
  HT,
  ICO,
  KO,
  NL,
  OC,
  PHA,
  PWR,
  QM,
  SM,
  STR,
  SVC_PROTECT,
  WM,
] as readonly OperatorFile[];

export const OPERATORS: ReadonlyMap<string, Operator> = new Map(
  FILES.flatMap(({ prefix, operators }) => operators.map((record) => [record.id, { ...record, prefix }])),
);

/** @throws DomainError OPERATOR_UNKNOWN with the three nearest ids */
export function findOperator(id: string): Operator {
  const operator = OPERATORS.get(id);
  if (operator) return operator;
  const nearest = nearestNames(id, OPERATORS.keys());
  throw new DomainError(
    'OPERATOR_UNKNOWN',
    `No operator has the id ${id}.${didYouMean(id, nearest) || theNearest(id, OPERATORS.keys())}`,
    {
      facts: { nearest },
    },
  );
}
