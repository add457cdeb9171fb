/* Lyapunov exponents of Lorenz’s (0) and Rössler’s (1) equations over a long time: RK4, Gram–Schmidt every 10 steps, errors from 200 groups. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
static int model; static double p,q,r;
static void f(const double*y,double*d){
 double J[9];
 if(model==0){d[0]=p*(y[1]-y[0]);d[1]=y[0]*(q-y[2])-y[1];d[2]=y[0]*y[1]-r*y[2];
  double K[9]={-p,p,0,q-y[2],-1,-y[0],y[1],y[0],-r};for(int i=0;i<9;i++)J[i]=K[i];}
 else{d[0]=-y[1]-y[2];d[1]=y[0]+p*y[1];d[2]=q+y[2]*(y[0]-r);
  double K[9]={0,-1,-1,1,p,0,y[2],0,y[0]-r};for(int i=0;i<9;i++)J[i]=K[i];}
 for(int k=0;k<3;k++){const double*v=y+3+3*k;for(int i=0;i<3;i++)d[3+3*k+i]=J[3*i]*v[0]+J[3*i+1]*v[1]+J[3*i+2]*v[2];}}
int main(int c,char**a){model=atoi(a[1]);p=atof(a[2]);q=atof(a[3]);r=atof(a[4]);double h=atof(a[5]),T=atof(a[6]);
 double y[12]={1.3,0.7,model?0.1:20,1,0,0,0,1,0,0,0,1},k1[12],k2[12],k3[12],k4[12],t[12];
 long n=T/h/200;n-=n%10;int G=200;double s[3]={0},g[200][3];
 for(int b=-20;b<G;b++){double w[3]={0};for(long i=0;i<n;i++){
  f(y,k1);for(int j=0;j<12;j++)t[j]=y[j]+.5*h*k1[j];f(t,k2);for(int j=0;j<12;j++)t[j]=y[j]+.5*h*k2[j];f(t,k3);
  for(int j=0;j<12;j++)t[j]=y[j]+h*k3[j];f(t,k4);for(int j=0;j<12;j++)y[j]+=h/6*(k1[j]+2*k2[j]+2*k3[j]+k4[j]);
  if(i%10==9){for(int v=0;v<3;v++){double*x=y+3+3*v;for(int u=0;u<v;u++){double*z=y+3+3*u;double e=x[0]*z[0]+x[1]*z[1]+x[2]*z[2];for(int j=0;j<3;j++)x[j]-=e*z[j];}
   double l=sqrt(x[0]*x[0]+x[1]*x[1]+x[2]*x[2]);w[v]+=log(l);for(int j=0;j<3;j++)x[j]/=l;}}}
  if(b>=0)for(int v=0;v<3;v++){g[b][v]=w[v]/(n*h);s[v]+=g[b][v]/G;}}
 for(int v=0;v<3;v++){double e=0;for(int b=0;b<G;b++)e+=(g[b][v]-s[v])*(g[b][v]-s[v]);printf("%.12g %.3g ",s[v],sqrt(e/G/(G-1)));}
 printf("\n");}
