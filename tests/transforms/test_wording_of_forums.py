"""Wording of forums, both ways: lines with personal data, and lines of science and code."""

import re

import pytest

from transforms.privacy import scrub

TELLING = r"""
reach me at jane.doe at gmail.com
jane dot doe at gmail dot com
priya.k92 @ gmail.com
Ph: 9876543210
contact me 9876543210
my cell number is 4155552671
Mob: 9876543210
wa.me/919876543210
415-555-2671x12
_415-555-2671_
8 916 123 45 67
Мой телефон 89161234567
mon numéro est le 0612345678
Escríbeme al 612 345 678
手机 13800138000
8(916)123-45-67
0(532) 123 45 67
+ 49 30 1234567
00493012345678
jane＠example.org
jane{at}example{dot}org
jane%40example.org
@田中
https://medium.com/@janedoe
https://t.me/janedoe
linkedin.com/in/jane-doe-123
https://www.facebook.com/jane.doe.5
415 - 555 - 2671
415−555−2671
415·555·2671
138-0013-8000
415/555-2671
Call 9876543210 tonight
please call 98765 43210
my number's 9876543210, text me
you can text me on (415) 555 2671
WhatsApp me on +91 98765-43210
phone number: 9876543210
Contact no. 9876543210
My phone: 415 5552671
我的手机是13800138000
微信 13800138000
电话：010-12345678
電話番号は090-1234-5678
전화번호는 010-1234-5678
llámame al 612345678
meu telefone é 11 91234 5678
ligue para 11912345678
chiamami al 3471234567
bel me op 0612345678
Meine Handynummer ist 01711234567
Ruf mich an: 01711234567
позвони мне 89161234567
тел. 8-916-123-45-67
Тел: 89161234567
مكالمتي هاتف 0501234567
मेरा नंबर 9876543210 है
call me 867-5309
Call 415-555-2671 or 867-5309
(415)5552671
415.555.2671 ext. 12
+1-415-555-2671 x12
+1 (415) 555-2671 ext 5
tel:+14155552671
+91-98765-43210
+7 916 123-45-67
+86 138 0013 8000
+49(0)30/1234567
+44 (0)20 7946 0958
write to jane.doe[at]gmail[dot]com
jane.doe AT gmail DOT com
jane (at) gmail.com
jane_at_gmail.com
jane <at> example <dot> org
jane [@] example.org
email me: priya at outlook dot com
mailto:jane@example.org
janedoe at yahoo.co.uk
jane.doe at uni-berlin.de
my email is jane99 at protonmail dot com
@Li thanks
@Bo: why?
@김철수 thanks
@इन्दु thanks
@محمد_علي شكرا
https://instagram.com/jane_doe
https://twitter.com/janedoe/status/1
https://x.com/janedoe
https://mastodon.social/@jane
https://www.youtube.com/@janedoe
https://vk.com/id12345678
telegram: t.me/janedoe
https://api.whatsapp.com/send?phone=919876543210
Skype number 9876543210
ring me 07911 123456
Give me a call on 02079460958
0532 123 45 67
(020) 7946 0958
1-415-555-2671
4155552671 is my number
hit me up at 9876543210
my digits: 4155552671
Contact: 9876543210
phone 4155552671
Fax 4155552671
Hotline 08001234567
"""

SCIENCE_AND_CODE = r"""
net 784-256-1024
layers 512-256-1024
We call 299 792 458 m/s the speed of light
We call 2147483647 a Mersenne prime
the function call 12345678 times
In the ring 1234567 is prime
leaves at 0830 0945 1100
wavenumber 400-4001
residues 231-2890
boeing 737-8001
octal 0755 0644 0600
the sum of 123 456 7890
telephone 1876-1877
q@k.transpose(-2,-1)
A@B.reshape(3,3)
@lru_cache
@property
@Override
@media
@angular/core
Add @staticmethod above the method
use @dataclass(frozen=True) here
@app.route("/") maps it
import {x} from '@babel/core'
@keyframes spin { }
fminsearch(@rosenbrock, x0)
@article{curie1911, title={x}}
the @timer decorator prints
SELECT @total := 1
q @ k.T and W @ x.sum
X@W.shape is (3, 4)
loss = w@x.mean()
look at gmail.com for it
I looked at the dot in the middle
the dot product at point dot x
Look at example.com or at nasa.gov
See Fig. 3 at nasa.gov
e.g. at nasa.gov
a @ 5V, 50 Hz @ 3 V
meet @ 5pm
@pH 7 and @RT
call stack depth 12345678 bytes
Then call 2147483647 M and ask whether it is prime
the cell number is 12345678 per ml
Cells 1234567 were counted
the text 12345678 is hashed
dial the constant 6.02214076
a mobile 1234567 of them
We ring 1234567 bells
They call 1234567890 a pandigital number
We call 12345678 a smooth number and 23456789 not
between 1876-1877 and 1901–1905
the years 1876 - 1922
the sum 415 - 555 - 2671 = -2811
genome position 117120016-117308718
PMID 31978945, rs12345678, NM_001301717.2
0x7fffffff 2147483647
768-768-3072 and 300-200-1000
sizes 784-300-1000
peaks at 400 500 6000
IDs 201 333 4567 202 334 4568
123 456 7891 is divisible by 7
+1 234 567 890 is a number
x + 299 792 458
dated 05 03 2024 12 30
ISBN 978-3-16-148410-0
trains 0615 0715 0815
chmod 0755 0644
1234567 is the telephone of primes
a phone with 12345678 transistors
IP 192.168.100.200 phone
mobile phones 2000-2010
call 1995-2005 the decade
telephone exchange 1234567 subscribers
Boeing 747-8001 flew
bands 650-1200 and 800-2500
cm-1 3200-3600
3-4-5 triangle 300-400-5000
Python 3.11.7 2024-05-01 call
the ratio 1234567/7654321
phone: 5 000 000 users
1000000007 is prime; call it p
12345-67890 zip
aspect 1920-1080-1024
serial 0000012345678
1 2 3 4 5 6 7 8 9 10
0 1 1 2 3 5 8 13 21 34 55 89
3.14159 26535 89793
6 022 140 760 particles
mean 234.5678910 sd
log(1234567)
the key 4155552671
Pluto is 5 906 380 000 km away
Earth 149 597 870 km
coordinates 40.7128 -74.0060
RA 05 35 17 DEC -05 23 28
08:30 09:45
binary 010 101 0101
residues 231–2890 of chain A
$a_{at}x.yz$
mail@ is a prefix
what is @ for in Python?
numpy @ is matmul
@import url(x)
docs https://numpy.org/doc/stable/user/basics.html
https://cdn.jsdelivr.net/npm/@angular/core
https://www.npmjs.com/package/@types/node
https://www.linkedin.com/company/nasa
https://www.facebook.com/groups/physics
https://twitter.com/search?q=x
"""


@pytest.mark.parametrize("line", TELLING.strip().splitlines())
def test_what_tells_a_person_goes(line: str) -> None:
    clean = scrub(line)
    assert re.search(r"\[(?:phone|email|user)\]", clean)
    assert not re.search(r"\d{4}|jane|priya|doe", clean)
    assert scrub(clean) == clean


@pytest.mark.parametrize("line", SCIENCE_AND_CODE.strip().splitlines())
def test_science_and_code_stay(line: str) -> None:
    assert scrub(line) == line
